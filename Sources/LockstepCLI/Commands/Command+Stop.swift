import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

extension Command {
    /// The command `lockstep stop`.
    static let stop = Command(
        name: "stop",
        summary: "stop the running emulators",
        about: """
            Asks this user's running lockstep serve to end, and waits until it has ended. As after Ctrl-C, it first exports \
            users if it was started with --export-on-exit. If several servers are running, choose one by the address of one of \
            its emulators, or all of them. Emulators of lockstep exec end with their command.
            """,
        operands: Operands(placeholder: "URL", summary: "the address of an emulator, as lockstep status shows it", choices: []),
        options: [
            Option("all", .none, "stop all servers of this user"),
            .readyFile("stop the emulators that this file lists"),
        ],
        examples: [
            Example(line: "lockstep stop", meaning: "the running server"),
            Example(line: "lockstep stop http://127.0.0.1:4602", meaning: "one of several servers"),
            Example(line: "lockstep stop --all", meaning: "every server of this user"),
        ],
        failure: "no emulator is running, or a server did not stop in time"
    ) { invocation, terminal in
        var running = try ReadyLines.found(by: invocation) ?? []
        if let url = invocation.operands.first {
            guard invocation.operands.count == 1, !invocation.has("all") else {
                throw UsageError("\"lockstep stop\" accepts only one address, or --all.")
            }
            let base = url.hasSuffix("/") ? String(url.dropLast()) : url
            running = running.filter { lines in lines.documents.contains { $0["base"]?.string?.exact == base.exact } }
            guard !running.isEmpty else {
                throw CommandFailure("no emulator of this user is running at \"\(url)\". See lockstep status.")
            }
        }
        guard !running.isEmpty else { throw CommandFailure("no emulator is running.") }
        guard running.count == 1 || invocation.has("all") else {
            let choices = running.compactMap { $0.documents.first?["base"]?.string }.map { "lockstep stop \($0)" }
            throw UsageError(
                "several servers are running, and none was stopped. Choose \((choices + ["lockstep stop --all"]).listedAsChoice)."
            )
        }
        for lines in running {
            guard let document = lines.documents.first else { continue }
            let control = ControlClient(document)
            do {
                _ = try await control.send(.post, "/stop")
            } catch {
                // A server that ends may close the connection before its response arrives.
                guard await !control.isThere() else { throw error }
            }
            let clock = SystemClock()
            let end = clock.uptime + .seconds(60)
            while await control.isThere() {
                guard clock.uptime < end else {
                    throw CommandFailure(
                        "\(control.title) is still running after 60 seconds. Its export may take longer: try again.")
                }
                try await clock.sleep(for: .milliseconds(50))
            }
            let titles = lines.documents.compactMap { $0["provider"]?.string }.map(Providers.title(of:))
            try terminal.print("Stopped: \(titles.joined(separator: ", ")).".visible)
        }
        return .success
    }
}

extension ControlClient {
    /// Whether something still responds at the emulator's address.
    func isThere() async -> Bool {
        let request = HTTPRequest(
            .get, "\(base)/__lockstep/ready", deadline: .seconds(5), connectDeadline: .seconds(5))
        return (try? await CurlTransport().send(request)) != nil
    }
}
