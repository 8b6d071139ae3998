import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep code, lockstep link", .limitedConcurrency)
struct CodeTests {
    private struct Servers {
        let lines: [JSON]
        let variables: [String: String]

        func line(_ provider: String) throws -> JSON { try #require(lines.first { $0["provider"]?.string == provider }) }

        func run(_ words: String...) async throws -> Lockstep { try await Lockstep.run(words, variables: variables) }

        func send(_ provider: String, _ path: String, _ body: JSON, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
            let base = try line(provider)["base"]?.string ?? ""
            return try await CurlTransport().send(HTTPRequest(.post, base + path, headers: headers, body: .json(body)))
        }

        /// Signs a user up on GoTrue, which sends an email with a link and a code.
        func signUp(_ address: String) async throws {
            let body: JSON = ["email": .string(address), "password": "Correct-Horse-1"]
            #expect(try await send("gotrue", "/signup", body).status == 200)
        }

        func advance(_ provider: String, _ seconds: Int) async throws {
            let authorization = try line(provider)["control"]?["Authorization"]?.string ?? ""
            let path = "/__lockstep/clock?seconds=\(seconds)"
            #expect(try await send(provider, path, [:], headers: ["Authorization": authorization]).status == 200)
        }
    }

    private func serving(_ names: [String], _ body: (Servers) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        _ = try await ServerProcess.serving(names, lines: names.count, variables: variables) { lines in
            try await body(Servers(lines: lines, variables: variables))
        }
    }

    @Test func printsTheNewestCodeThatStillWorks() async throws {
        try await serving(["gotrue"]) { servers in
            let none = try await servers.run("code", "ada@example.com")
            #expect(none.status == 1 && none.output.isEmpty && none.errors.split(separator: "\n").count == 1, "\(none.errors)")
            try await servers.signUp("ada@example.com")
            let code = try await servers.run("code", "ADA@example.com")
            #expect(code.status == 0 && code.output.wholeMatch(of: /[0-9]{6}\n/) != nil && code.errors.isEmpty, "\(code.output)")
            let link = try await servers.run("link", "ada@example.com")
            #expect(link.status == 0 && link.output.hasPrefix("http") && link.output.split(separator: "\n").count == 1)
            // A used code is not printed again, and the link of the same message neither.
            let token = String(code.output.dropLast())
            let body: JSON = ["type": "signup", "email": "ada@example.com", "token": .string(token)]
            #expect(try await servers.send("gotrue", "/verify", body).status == 200)
            for command in ["code", "link"] {
                let used = try await servers.run(command, "ada@example.com")
                #expect(used.status == 1 && used.output.isEmpty, "\(used.output)")
            }
            // An expired one neither.
            try await servers.signUp("grace@example.com")
            #expect(try await servers.run("code", "grace@example.com").status == 0)
            try await servers.advance("gotrue", 25 * 3600)
            let expired = try await servers.run("code", "grace@example.com")
            #expect(expired.status == 1 && expired.errors.contains("expired"), "\(expired.errors)")
        }
    }

    @Test func severalProvidersAreNamed() async throws {
        try await serving(["firebase", "gotrue"]) { servers in
            try await servers.signUp("ada@example.com")
            let key = try servers.line("firebase")["vars"]?["api_key"]?.string ?? ""
            func firebase(_ method: String, _ body: JSON) async throws -> HTTPResponse {
                try await servers.send("firebase", "/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=\(key)", body)
            }
            let made = try await firebase("signUp", ["email": "ada@example.com", "password": "Correct-Horse-1"])
            let token = try #require(try JSON.parse(made.body)["idToken"]?.string)
            _ = try await firebase("sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(token)])
            let both = try await servers.run("link", "ada@example.com")
            #expect(both.status == 2 && both.output.isEmpty, "\(both.output)")
            #expect(both.errors.contains("Firebase") && both.errors.contains("Supabase (GoTrue)"), "\(both.errors)")
            let one = try await servers.run("link", "ada@example.com", "--provider", "firebase")
            let address = String(one.output.dropLast())
            #expect(one.status == 0 && address.contains("oobCode="), "\(one.errors)")
            // Firebase sends no code, and says what to use instead.
            let code = try await servers.run("code", "ada@example.com", "--provider", "firebase")
            #expect(code.status == 1 && code.errors.contains("lockstep link"), "\(code.errors)")
            _ = try await CurlTransport().send(HTTPRequest(.get, address))
            #expect(try await servers.run("link", "ada@example.com", "--provider", "firebase").status == 1)
        }
    }

    @Test func clerkCodesAreFoundByTheirRecipient() async throws {
        try await serving(["clerk"]) { servers in
            let base = try servers.line("clerk")["base"]?.string ?? ""
            var authorization = ""
            func send(_ path: String, _ form: HTTPForm) async throws -> JSON {
                let request = HTTPRequest(
                    .post, base + "/v1/client/sign_ups" + path + "?_is_native=1", headers: ["Authorization": authorization],
                    body: .form(form))
                let response = try await CurlTransport().send(request)
                authorization = response.headers["Authorization"] ?? authorization
                return try JSON.parse(response.body)
            }
            let made = try await send("", ["email_address": "ada@example.com", "password": "Correct-Horse-1"])
            let id = try #require(made["response"]?["id"]?.string, "\(made.text())")
            _ = try await send("/\(id)/prepare_verification", ["strategy": "email_code"])
            let code = try await servers.run("code", "ada@example.com")
            #expect(code.status == 0 && code.output.wholeMatch(of: /[0-9]{6}\n/) != nil, "\(code.errors)")
            let typed = String(code.output.dropLast())
            _ = try await send("/\(id)/attempt_verification", ["strategy": "email_code", "code": typed])
            #expect(try await servers.run("code", "ada@example.com").status == 1)
        }
    }

    /// In a pipe of each shell, with the email before the command and after it.
    @Test(arguments: ["sh", "bash", "dash"])
    func waitsInAPipe(_ shell: String) async throws {
        try await serving(["gotrue"]) { servers in
            async let late = ChildProcess.run(
                shell, ["-c", "\"$0\" code late@example.com --wait 30 | tr -d '\\n'", Lockstep.executable],
                environment: Lockstep.environment(servers.variables))
            try await servers.signUp("early@example.com")
            let early = try await ChildProcess.run(
                shell, ["-c", "code=$(\"$0\" code early@example.com) && printf '<%s>' \"$code\"", Lockstep.executable],
                environment: Lockstep.environment(servers.variables))
            #expect(early.text.wholeMatch(of: /<[0-9]{6}>/) != nil, "\(early.text)")
            try await servers.signUp("late@example.com")
            let text = try await late.text
            #expect(text.wholeMatch(of: /[0-9]{6}/) != nil, "\(text)")
        }
    }

    @Test func onlyLaterMessagesCount() async throws {
        try await serving(["gotrue"]) { servers in
            try await servers.signUp("ada@example.com")
            let base = try servers.line("gotrue")["base"]?.string ?? ""
            let list = try JSON.parse(try await CurlTransport().send(HTTPRequest(.get, base + "/__lockstep/messages")).body)
            let message = try #require(list["messages"]?.array?.first)
            let id = try #require(message["id"]?.string)
            #expect(try await servers.run("code", "ada@example.com", "--after", id).status == 1)
            #expect(try await servers.run("code", "ada@example.com", "--after", "2000-01-01T00:00:00Z").status == 0)
            #expect(try await servers.run("code", "ada@example.com", "--after", "2100-01-01T00:00:00Z").status == 1)
            #expect(try await servers.run("code", "ada@example.com", "--after", "yesterday").status == 2)
        }
    }
}
