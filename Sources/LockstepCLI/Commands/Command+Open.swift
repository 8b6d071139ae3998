import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem

extension Command {
    /// The command `lockstep open`.
    static let open = Command(
        name: "open",
        summary: "open the dashboard in a browser",
        about: """
            Opens the dashboard of lockstep serve, or of lockstep exec --dashboard, in a browser. If there is no browser, or outside \
            a terminal, it prints a new link. Each link works once. The command finds the server in the same way as \
            lockstep status. If several servers are running, it uses the newest. After a restart of lockstep serve on the same \
            port and data folder, a browser keeps its access for seven days after its last use, and for thirty days at most.
            """,
        options: [
            Option("print", .none, "print the link without starting a browser"),
            Option("forget", .none, "end the access of all browsers, and exit"),
            .readyFile("open the dashboard of the emulators that this file lists"),
        ],
        examples: [
            Example(line: "lockstep open", meaning: "the dashboard in the browser"),
            Example(line: "lockstep open --print", meaning: "a link for another browser"),
            Example(line: "lockstep open --forget", meaning: "sign all browsers out of the dashboard"),
        ],
        failure: "no dashboard is running"
    ) { invocation, terminal in
        let documents = (try ReadyLines.found(by: invocation) ?? []).flatMap(\.documents)
        if invocation.has("forget") {
            let served = documents.filter { $0["dashboard"]?.string != nil }
            for document in served { _ = try await ask(document, "forget", expecting: 200) }
            do throws(SystemError) { try RuntimeFolder.removeSessions() } catch {
                throw CommandFailure("cannot end the sessions of browsers: \(error).")
            }
            try terminal.print("All browsers are signed out of the dashboard.")
            return .success
        }
        guard let document = documents.first(where: { $0["dashboard"]?.string != nil }) else {
            throw CommandFailure(
                documents.isEmpty
                    ? "no emulator is running. Start one with lockstep serve."
                    : "the running emulators have no dashboard. Start them again without --no-dashboard.")
        }
        let link = try await newLink(document)
        let isOpened = terminal.isTerminal && !invocation.has("print") && link.hasPrefix("http") ? await startBrowser(link) : nil
        switch isOpened {
        case true?: try terminal.print("Opened \(link.cut(at: "?").head) in your browser.".visible)
        case false?: try terminal.print("There is no browser here. Open this link, which works once:\n\(link.visible)")
        case nil: try terminal.print(link.visible)
        }
        return .success
    }

    /// Returns a new link to the dashboard in a ready line.
    private static func newLink(_ document: JSON) async throws -> String {
        try await ask(document, "link", expecting: 201)["link"]?.string ?? ""
    }

    /// Calls a route for programs of the dashboard in a ready line.
    private static func ask(_ document: JSON, _ route: String, expecting status: Int) async throws -> JSON {
        let base = (document["dashboard"]?.string ?? "").cut(at: "?").head
        let request = HTTPRequest(
            .post, "\(base)\(route)", headers: ["Authorization": document["control"]?["Authorization"]?.string ?? ""],
            body: .none,
            deadline: .seconds(30), connectDeadline: .seconds(5))
        let answer: HTTPResponse
        do {
            answer = try await CurlTransport().send(request)
        } catch {
            throw CommandFailure(
                "the dashboard at \(base) does not respond: \(error). Start the emulators again with lockstep serve.")
        }
        guard answer.status == status, let document = try? JSON.parse(answer.body) else {
            throw CommandFailure(
                "the dashboard at \(base) returned status \(answer.status). Start the emulators again with lockstep serve.")
        }
        return document
    }

    /// Starts the browser of this desktop.
    ///
    /// - Returns: Whether there is one that opened the link.
    private static func startBrowser(_ link: String) async -> Bool {
        #if canImport(Darwin)
        let program = "open"
        #else
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { Environment[$0]?.isEmpty == false }) else { return false }
        let program = "xdg-open"
        #endif
        return (try? await ChildProcess.run(program, [link], within: .seconds(10)))?.status == 0
    }
}
