internal import LockstepHTTP
internal import LockstepPrimitives

/// Actions on a server outside the conversation: reading messages, and moving its clock.
struct ServerControls {
    /// A control that the server does not have or has rejected.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// A mail that was taken from the inbox.
    struct Mail {
        let links: [String]
        let code: String?
    }

    let server: TestedServer
    let transport: any HTTPTransport
    private var seen: Set<String> = []

    init(_ server: TestedServer, over transport: any HTTPTransport) {
        self.server = server
        self.transport = transport
    }

    func reset() async throws {
        if let reset = server.reset { try await command(reset) }
    }

    func advance(by seconds: Int64) async throws {
        guard let advance = server.advance else {
            throw Refusal(description: "this server cannot move its clock: its document has no \"advance\"")
        }
        try await command(advance.replacing("{s}", with: String(seconds)))
    }

    private func command(_ url: String) async throws {
        let headers = HTTPHeaders(server.control.map { .init(name: $0.name, value: $0.value) })
        let response = try await transport.send(HTTPRequest(.post, url, headers: headers))
        guard response.status < 300 else {
            throw Refusal(description: "POST \(url) answered \(response.status): \(response.text ?? "")")
        }
    }

    /// The newest unread mail to an address.
    ///
    /// Waits for it if necessary.
    mutating func takeMail(to address: String, mailTimeout: Duration) async throws -> Mail? {
        guard let inbox = server.inbox else {
            throw Refusal(description: "this server has no inbox: its document has no \"inbox\"")
        }
        let deadline = server.clock.uptime + mailTimeout
        while true {
            for mail in try await read(inbox + "/api/v1/messages?limit=200")["messages"]?.array ?? [] {
                let recipients = mail["To"]?.array?.compactMap { $0["Address"]?.string?.lowercased() } ?? []
                guard let id = mail["ID"]?.string, !seen.contains(id), recipients.contains(address.lowercased()) else { continue }
                seen.insert(id)
                return Self.mail(try await read(inbox + "/api/v1/message/\(id)"), subject: mail["Subject"]?.string ?? "")
            }
            guard server.clock.uptime < deadline else { return nil }
            try await server.clock.sleep(for: .milliseconds(50))
        }
    }

    /// The code of the newest text message to a number.
    func code(to number: String) async throws -> String? {
        guard let messages = server.messages else {
            throw Refusal(description: "this server shows no text messages: its document has no \"sms\"")
        }
        let number = number.drop { $0 == "+" }
        let deadline = server.clock.uptime + server.mailTimeout
        while true {
            let found = try await read(messages).array?.first { $0["to"]?.string?.drop { $0 == "+" } == number }
            if let code = found?["code"] { return code.string ?? code.text() }
            guard server.clock.uptime < deadline else { return nil }
            try await server.clock.sleep(for: .milliseconds(50))
        }
    }

    private func read(_ url: String) async throws -> JSON {
        let response = try await transport.send(HTTPRequest(.get, url))
        guard response.isSuccess else { throw Refusal(description: "GET \(url) answered \(response.status)") }
        return try response.json()
    }

    /// The links come from the HTML, or else from the text.
    ///
    /// The code is six to eight digits of the subject, or else six of the visible text.
    private static func mail(_ message: JSON, subject: String) -> Mail {
        let html = message["HTML"]?.string ?? ""
        let text = message["Text"]?.string ?? ""
        var links = html.matches(of: #/href="([^"]+)"/#).map { unescaped(String($0.1)) }
        if links.isEmpty { links = text.matches(of: #/[A-Za-z0-9_]+:\/\/\S+/#).map { String($0.0) } }
        let visible = html.isEmpty ? text : html.replacing(#/<[^>]+>/#, with: " ")
        let words = subject.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let code =
            words.first { (6...8).contains($0.count) && $0.allSatisfy(\.isNumber) }
            ?? visible.split { !($0.isLetter || $0.isNumber || "_=/-".contains($0)) }.first {
                $0.count == 6 && $0.allSatisfy(\.isNumber)
            }
        return Mail(links: links, code: code.map(String.init))
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&#34;", "\""), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
