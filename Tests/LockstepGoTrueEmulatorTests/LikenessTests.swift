import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Lookalike values and equal values, as on the real server (docs/gotrue-emulator.md, "Surprising behavior of the real server").
@Suite(.limitedConcurrency)
struct LikenessTests {
    @Test func bcryptUsesSeventyTwoBytes() async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        let password = String(repeating: "a", count: 72)
        let longer: JSON = ["email": "eve@example.com", "password": .string(password + "b")]
        #expect(try await emulator.post("/signup", longer).code == "validation_failed")
        #expect(try await emulator.post("/signup", ["email": "ada@example.com", "password": .string(password)]).status == 200)
        #expect(try await emulator.signIn("ada@example.com", password).status == 200)
        // The real server checks no length here, and bcrypt sees no difference.
        #expect(try await emulator.signIn("ada@example.com", password + "b").status == 200)
        #expect(try await emulator.signIn("ada@example.com", String(password.dropLast())).code == "invalid_credentials")
        #expect(try await emulator.signIn("ada@example.com", String(password.dropLast()) + "b").code == "invalid_credentials")
        #expect(try await emulator.signIn("ada@example.com", password.dropLast(36) + "\0" + password.dropLast(37)).status == 400)
    }

    @Test func kelvinSignEqualsKOnlyAtSignIn() async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        _ = try await emulator.person("kim@example.com")
        #expect(try await emulator.signIn("\u{212a}im@example.com").status == 200)
        let body: JSON = ["email": "\u{212a}arl@example.com", "password": .string(TestEmulator.password)]
        #expect(try await emulator.post("/signup", body).code == "validation_failed")
    }

    /// An address in another Unicode form is another address or invalid.
    ///
    /// It finds no user, and no message is sent.
    @Test func otherUnicodeFormFindsNobody() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person("\u{e9}lan@example.com")
        #expect(try await emulator.signIn("e\u{301}lan@example.com").code == "invalid_credentials")
        _ = try await emulator.post("/recover", ["email": "e\u{301}lan@example.com"])
        #expect(emulator.server.panel.outbox.mails.isEmpty)
    }

    @Test func lineEndsOfANameAreKeptInASubject() async throws {
        let emulator = try TestEmulator { $0.mail.subjects["RECOVERY"] = "For {{ .Data.name }}" }
        try emulator.administrator.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        let name: JSON = ["data": ["name": "Ada\r\nBcc: eve@example.com"]]
        let token = try await emulator.signIn("ada@example.com")["access_token"]
        #expect(try await emulator.put("/user", name, bearer: token).status == 200)
        #expect(try await emulator.post("/recover", ["email": "ada@example.com"]).status == 200)
        let mails = emulator.server.panel.outbox.mails(to: "ada@example.com")
        #expect(mails.first?.subject == "For Ada\r\nBcc: eve@example.com")
        // It is a text and not a header, so no other recipient gets anything.
        #expect(emulator.server.panel.outbox.mails.count == 1)
    }

    @Test func callersAreIdentifiedByTheHeaderText() async throws {
        let emulator = try TestEmulator { $0.limits.header = "X-Caller" }
        func ask(_ caller: String) async throws -> Int {
            var headers = HTTPHeaders()
            headers.append("X-Caller", caller)
            let address = emulator.server.base + "/token?grant_type=password"
            return try await emulator.send(HTTPRequest(.post, address, headers: headers, body: .json([:]))).status
        }
        for _ in 0..<30 { #expect(try await ask("2001:db8::1") == 400) }
        #expect(try await ask("2001:db8::1") == 429)
        #expect(try await ask(" 2001:db8::1 , 10.0.0.1") == 429)
        #expect(try await ask("2001:0db8:0:0:0:0:0:1") == 400)
        #expect(try await ask("2001:db8::2") == 400)
        // Without the setting the header has no effect. A caller cannot choose a bucket.
        let other = try TestEmulator()
        for _ in 0..<40 { #expect(try await other.signIn("a@example.com").status == 400) }
    }
}
