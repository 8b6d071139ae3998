import LockstepComparison
import LockstepPrimitives
import LockstepSystem

/// Handles Ctrl-C while a command works: prints a sentence, and a complete document for a program that reads JSON.
struct Interruption: Sendable {
    private let watch: SignalWatch

    /// Ends the process when a signal comes, unless ``stop()`` is called before.
    init(_ invocation: Invocation, _ terminal: Terminal) throws {
        let watch = try SignalWatch()
        self.watch = watch
        let document = invocation.failure("interrupted")
        Task {
            var isSecond = false
            for await signal in watch.signals {
                // The output in progress is completed first; a second signal ends the process immediately.
                if terminal.end(with: document, waiting: !isSecond) {
                    terminal.endProgress()
                    terminal.tell("lockstep: interrupted", isLast: true)
                    CurrentProcess.exit(signal.exitStatus)
                }
                isSecond = true
            }
        }
    }

    /// Restores the usual effect of signals.
    func stop() { watch.stop() }
}

extension Invocation {
    /// The output if there is no data: a document if JSON was requested, otherwise nothing.
    func failure(_ message: String) -> String? {
        guard self["format"] == "json" else { return nil }
        return JSON.object(["version": .int(Comparison.formatVersion), "error": ["message": .string(message)]]).text(.indented)
            + "\n"
    }
}
