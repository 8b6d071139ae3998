import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

extension Command {
    /// The command `lockstep wait`.
    static let wait = Command(
        name: "wait",
        summary: "wait until emulators are ready",
        about: """
            Waits until emulators are ready and imports are done. It waits for this user's emulators, \
            the emulators in a ready file, or one emulator at a URL. On success, it prints a line only in a terminal.
            """,
        operands: Operands(
            placeholder: "URL", summary: "the address of one emulator, such as http://127.0.0.1:4602", choices: []),
        options: [
            Option("timeout", .number("SECONDS", 0...86_400), "the maximum time to wait (default: 30)"),
            .readyFile("wait for the emulators that this file lists"),
        ],
        examples: [
            Example(line: "lockstep wait", meaning: "until all emulators are ready"),
            Example(line: "lockstep wait http://127.0.0.1:4602", meaning: "until Supabase (GoTrue) is ready"),
            Example(
                line: "lockstep wait --ready-file ready.jsonl --timeout 60",
                meaning: "until the file exists and all its emulators are ready"
            ),
        ],
        failure: "the emulators were not ready in time"
    ) { invocation, terminal in
        guard invocation.operands.count <= 1 else { throw UsageError("\"lockstep wait\" accepts only one address.") }
        if let address = invocation.operands.first {
            guard !invocation.has("ready-file") else {
                throw UsageError("an address and --ready-file cannot be used together. Remove one of them.")
            }
            guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
                throw UsageError("invalid value \"\(address)\": expected an address that begins with http:// or https://.")
            }
        }
        let clock = SystemClock()
        let seconds = invocation.number("timeout") ?? 30
        let end = clock.uptime + .seconds(seconds)
        while true {
            let (missing, all) = try await Readiness.missing(invocation, until: end, on: clock)
            if missing.isEmpty {
                if terminal.isTerminal { try terminal.print("Ready: \(all.joined(separator: ", ")).".visible) }
                return .success
            }
            let rest = end - clock.uptime
            guard rest > .zero else {
                throw CommandFailure(
                    "not ready after \(seconds) seconds: \(missing.joined(separator: ", ")). Start lockstep serve, or use a longer --timeout."
                )
            }
            try await clock.sleep(for: min(rest, .milliseconds(50)))
        }
    }
}

/// The readiness of emulators.
private enum Readiness {
    private static let transport = CurlTransport()

    /// Returns the names of the emulators that are not ready, and of all that are waited for.
    static func missing(
        _ invocation: Invocation, until end: Duration, on clock: some DeviceClock
    ) async throws -> (missing: [String], all: [String]) {
        let targets: [(name: String, base: String)]
        if let address = invocation.operands.first {
            targets = [(address, address.hasSuffix("/") ? String(address.dropLast()) : address)]
        } else {
            let lines = try ReadyLines.found(by: invocation)
            targets = (lines ?? []).flatMap(\.documents).map { document in
                (document["provider"]?.string ?? "", document["base"]?.string ?? "")
            }
            // A ready file that is not there yet, or no server that is found.
            guard !targets.isEmpty else {
                return ([invocation["ready-file"].map { "\"\($0)\"" } ?? "no emulator is running"], [])
            }
        }
        var missing: [String] = []
        for target in targets {
            // One answer may take its time on a busy machine, also when nothing is left of the wait.
            let deadline = max(.seconds(2), min(.seconds(5), end - clock.uptime))
            let request = HTTPRequest(.get, target.base + "/__lockstep/ready", deadline: deadline, connectDeadline: deadline)
            let answer = try? await transport.send(request)
            if answer?.status != 200 { missing.append(target.name) }
        }
        return (missing, targets.map(\.name))
    }
}

/// An error with status 1: a sentence with the problem and the remedy.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
