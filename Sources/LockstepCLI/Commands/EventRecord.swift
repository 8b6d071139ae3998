import Lockstep
import LockstepContracts
import LockstepSystem
import Synchronization

/// What happens in the clients of a run, one line of JSON an event: what `--events` asks for.
final class EventRecord: Sendable {
    static let option = Option(
        "events", .path("FILE"), "also write the client events to this file, one line of JSON each; \"-\" writes to stderr")

    /// Where the lines go at the end; stderr where there is none.
    private let path: String?
    private let lines = Mutex<[UInt8]>([])
    private let terminal: Terminal

    /// The record that is asked for, if one is.
    ///
    /// - Throws: where the file cannot be written.
    init?(_ invocation: Invocation, _ terminal: Terminal) throws {
        guard let place = invocation["events"] else { return nil }
        path = place == "-" ? nil : place
        self.terminal = terminal
        // Replacing a device or a pipe by a file would take it from its other users, and a link from its creator.
        if let path, let status = try FileStatus(of: path), status.kind != .plainFile {
            throw UsageError(
                "invalid value \"\(path)\" for --events: the path is a folder, a link, a pipe or a device. Choose a new file, or \"-\" for stderr."
            )
        }
        try write(to: path)
    }

    /// The harnesses, with clients that send their events to this record.
    func told(by harnesses: [any Harness]) -> [any Harness] {
        let sink = AuthEventSink.jsonLines { [self] line in
            if path == nil { terminal.writeToErrors(line) } else { lines.withLock { $0 += line.utf8 } }
        }
        return harnesses.map { $0.telling(sink) }
    }

    /// Writes the file; to stderr, if the place cannot be used any longer, so that neither the events nor the report after them
    /// are lost.
    func save() {
        do {
            try write(to: path)
        } catch {
            terminal.tell(
                "lockstep: cannot write the events to \"\(path ?? "-")\": \(error). The events are printed here instead.")
            terminal.writeToErrors(String(decoding: lines.withLock { $0 }, as: UTF8.self))
        }
    }

    private func write(to path: String?) throws {
        if let path { try AtomicFile.replace(path, with: lines.withLock { $0 }, mode: 0o644) }
    }
}
