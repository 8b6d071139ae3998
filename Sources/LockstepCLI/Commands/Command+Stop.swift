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
            users if it was started with --export-on-exit. If several servers are running, it stops all of them. Emulators of \
            lockstep exec end with their command.
            """,
        options: [.readyFile("stop only the emulators that this file lists")],
        examples: [
            Example(line: "lockstep stop", meaning: "all emulators of this user"),
            Example(line: "lockstep stop --ready-file ready.jsonl", meaning: "the emulators of one server"),
        ],
        failure: "no emulator is running, or a server did not stop in time"
    ) { invocation, terminal in
        let running = try ReadyLines.found(by: invocation) ?? []
        guard !running.isEmpty else { throw CommandFailure("no emulator is running.") }
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
    fileprivate func isThere() async -> Bool {
        let request = HTTPRequest(
            .get, "\(base)/__lockstep/ready", deadline: .seconds(5), connectDeadline: .seconds(5))
        return (try? await CurlTransport().send(request)) != nil
    }
}
