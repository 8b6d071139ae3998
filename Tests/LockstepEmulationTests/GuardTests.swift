import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// Requests that a web page can send to an emulator.
@Suite(.limitedConcurrency)
struct GuardTests {
    /// Sends a head unchanged, and reads until the server closes the connection.
    private func exchange(_ head: String, with server: EmulatorServer<NotesEmulator>) async throws -> TestResponse {
        let port = Int(server.port)
        return try await BlockingThread.run {
            let connection = try SocketConnection(port: port)
            try? connection.write(head)
            var response: [UInt8] = []
            while let piece = try? connection.read(), !piece.isEmpty { response += piece }
            return TestResponse(raw: String(decoding: response, as: UTF8.self))
        }
    }

    private func ask(
        _ method: String = "GET", _ target: String = "/constant", host: String, _ server: EmulatorServer<NotesEmulator>
    ) async throws -> TestResponse {
        try await exchange(
            "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", with: server)
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:9", "localhost:65535", "localhost:", "app.localhost", "a.b.localhost:80", "127.0.0.1",
        "127.0.0.1:80",
        "127.255.0.3", "[::1]", "[::1]:9999", "auth.example.test", "Auth.Example.TEST:8080", "[fd00::7]:80", "10.0.2.2",
    ])
    func localAndAllowedHostNamesAreServed(_ host: String) async throws {
        var options = EmulatorOptions()
        options.allowedHosts = ["auth.example.test", "fd00::7", "10.0.2.2"]
        try await withServer(options) { server async throws in
            #expect(try await ask(host: host, server).status == 200)
        }
    }

    static let otherNames = [
        "evil.example", "evil.example:9999", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example@localhost",
        "localhost@evil.example", "127.0.0.1.", "localhost.", "xlocalhost", ".evil", "127.1", "2130706433", "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.256", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "[::1", "[::1]x", "localhost:x", "localhost:80:80",
        "localhost:123456",
        "localhost, evil.example", "evil.example, localhost", "192.168.1.7", "", "\u{212a}ocalhost", "loc\u{e4}lhost",
        "host..localhost/x",
    ]

    @Test(arguments: otherNames)
    func otherHostNamesAreRejectedOnEveryRoute(_ host: String) async throws {
        try await withServer { server async throws in
            for (method, target) in [
                ("GET", "/constant"), ("GET", "/nowhere"), ("PUT", "/notes/a"), ("OPTIONS", "/constant"),
                ("GET", "/__lockstep/inbox/api/v1/messages"), ("DELETE", "/__lockstep/inbox/api/v1/messages"),
                ("GET", "/__lockstep/sms"), ("POST", "/__lockstep/reset"), ("GET", "/__lockstep/transcript"),
            ] {
                let response = try await ask(method, target, host: host, server)
                #expect(response.status == 421 || response.status == 400, "\(method) \(target): \(response.raw.prefix(60))")
                #expect(response["Access-Control-Allow-Origin"] == nil)
            }
            #expect(server.panel.transcript.count == 0)
        }
    }

    @Test func hostNameErrorNamesTheOption() async throws {
        try await withServer { server async throws in
            #expect(try await ask(host: "evil.example", server).body.contains("--allow-host"))
            let control = try await ask("GET", "/__lockstep/faults", host: "evil.example", server)
            #expect(control.json["error"]?.string?.contains("--allow-host") == true)
        }
    }

    /// The URL of a target also names the host, and overrides the header (RFC 9112, section 3.2.2).
    @Test func targetWithAForeignHostIsRejected() async throws {
        try await withServer { server async throws in
            #expect(try await ask("GET", "http://evil.example/constant", host: "localhost", server).status == 421)
            #expect(try await ask("GET", "http://evil.example?/constant", host: "localhost", server).status == 421)
            #expect(try await ask("GET", "http://localhost/constant", host: "evil.example", server).status == 421)
            #expect(try await ask("GET", "http://127.0.0.1:1/constant", host: "localhost", server).status == 200)
        }
    }

    @Test func exactlyOneHostHeaderIsRequired() async throws {
        try await withServer { server async throws in
            for hosts in ["", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n"] {
                for version in ["1.0", "1.1"] {
                    let response = try await exchange("GET /constant HTTP/\(version)\r\n\(hosts)\r\n", with: server)
                    #expect(response.status == 400)
                }
            }
        }
    }

    /// A server on all addresses accepts the address that its client has connected to.
    @Test func serverOnAllAddressesAcceptsTheReachedOne() async throws {
        var options = EmulatorOptions()
        options.host = "0.0.0.0"
        try await withServer(options) { server async throws in
            #expect(try await ask(host: "127.0.0.1:\(server.port)", server).status == 200)
            #expect(try await ask(host: "192.0.2.1:\(server.port)", server).status == 421)
            #expect(try await ask(host: "evil.example", server).status == 421)
        }
    }

    static let foreign: [[String: String]] = [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost.evil.example"], ["Origin": ""],
        ["Origin": "http://evil.example#http://localhost"], ["Origin": "file://"], ["Origin": "chrome-extension://abc"],
        ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"],
    ]

    /// Without the token a page of another site can neither read nor delete messages, nor move the clock.
    @Test(arguments: foreign)
    func pagesOfOtherSitesCannotUseTestRoutes(_ headers: [String: String]) async throws {
        try await withServer { server async throws in
            try server.panel.outbox.mail(to: "ada@example.com", subject: "Code 123456", text: "")
            for (method, path) in [
                ("GET", "/inbox/api/v1/messages"), ("GET", "/inbox/api/v1/message/latest"), ("DELETE", "/inbox/api/v1/messages"),
                ("PUT", "/inbox/api/v1/messages"), ("GET", "/sms"), ("POST", "/clock?seconds=5"), ("GET", "/transcript"),
                ("OPTIONS", "/inbox/api/v1/messages"),
            ] {
                let response = try await send(method, "/__lockstep" + path, to: server, headers: headers)
                #expect(response.status == 403, "\(method) \(path)")
                #expect(response["Access-Control-Allow-Origin"] == nil)
                #expect(!response.raw.contains("123456"))
            }
            #expect(server.panel.outbox.mails.first?.isRead == false)
            #expect(try await send("GET", "/test-only/codes", to: server, headers: headers).status == 403)
            // Routes for apps belong to the provider: their responses say who can read them.
            #expect(try await send("GET", "/constant", to: server, headers: headers).status == 200)
        }
    }

    /// Programs, including Mailpit's clients, need no token.
    ///
    /// Nor do pages that this machine serves.
    @Test(arguments: [
        [:], ["Origin": "http://localhost:3000"], ["Origin": "http://127.0.0.1:4000", "Sec-Fetch-Site": "same-site"],
        ["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "same-origin"],
    ])
    func localProgramsAndPagesCanReadMessages(_ headers: [String: String]) async throws {
        try await withServer { server async throws in
            #expect(try await send("GET", "/__lockstep/inbox/api/v1/messages", to: server, headers: headers).status == 200)
            #expect(try await send("GET", "/__lockstep/sms", to: server, headers: headers).status == 200)
            #expect(try await send("GET", "/test-only/codes", to: server, headers: headers).status == 200)
            #expect(try await send("DELETE", "/__lockstep/inbox/api/v1/messages", to: server, headers: headers).status == 200)
            #expect(try await send("POST", "/__lockstep/reset", to: server, headers: headers).status == 401)
        }
    }

    @Test func tokenAuthorizesEveryOrigin() async throws {
        try await withServer { server async throws in
            var headers = server.control
            headers["Origin"] = "https://evil.example"
            #expect(try await send("GET", "/__lockstep/inbox/api/v1/messages", to: server, headers: headers).status == 200)
            #expect(try await send("POST", "/__lockstep/reset", to: server, headers: headers).status == 200)
        }
    }
}
