import LockstepHTTP
import LockstepPrimitives

extension Command {
    /// The command `lockstep logs`.
    static let logs = Command(
        name: "logs",
        summary: "print the events of the running emulators",
        about: """
            Prints the latest events of this user's running lockstep serve, one line for each: the lines that serve prints on a \
            terminal, with the code or the link of a message, or with the reason why none was sent. They contain no password, \
            token or hash. A server keeps its last 500 requests. If several servers are running, the command uses the newest.
            """,
        options: [
            Option("follow", .none, "also print each new event, until Ctrl-C or until the server ends"),
            Option("lines", .number("N", 0...500), "at most this many of the latest events", standard: "20"),
            .readyFile("print the events of the emulators that this file lists"),
        ],
        examples: [
            Example(line: "lockstep logs", meaning: "the latest events"),
            Example(line: "lockstep logs --follow --lines 0", meaning: "only new events"),
        ],
        failure: "no emulator is running"
    ) { invocation, terminal in
        guard let document = try ReadyLines.found(by: invocation)?.first?.documents.first else {
            throw CommandFailure("no emulator is running. Start one with lockstep serve.")
        }
        let control = ControlClient(document)
        var page = try await control.send(.get, "/log?limit=\(invocation.number("lines") ?? 20)")
        while true {
            for line in page["lines"]?.array ?? [] { try terminal.print((line.string ?? "").visible) }
            guard invocation.has("follow") else { return .success }
            do {
                page = try await control.send(.get, "/log?limit=500&wait=20&after=\(page["last"]?.string ?? "")")
            } catch {
                // The server has ended, and with it what there is to follow.
                guard await control.isThere() else { return .success }
                throw error
            }
        }
    }
}
