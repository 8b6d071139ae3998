import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Codes, states and confirmations used by others than their recipients.
@Suite(.limitedConcurrency)
struct ForeignProofTests {
    private func code(_ emulator: TestEmulator, to email: String) throws -> String {
        try #require(emulator.server.panel.outbox.mails(to: email).first?.code)
    }

    private func signUp(_ emulator: TestEmulator, _ email: String) async throws {
        let body: JSON = ["email": .string(email), "password": .string(TestEmulator.password)]
        #expect(try await emulator.post("/signup", body).status == 200)
    }

    private func verify(_ emulator: TestEmulator, _ type: String, _ email: String, _ code: String) async throws
        -> TestEmulator.TestResponse
    {
        try await emulator.post("/verify", ["type": .string(type), "email": .string(email), "token": .string(code)])
    }

    /// GoTrue does not lock a code.
    ///
    /// It counts the requests of one caller (`RATE_LIMIT_VERIFY`), across all connections.
    @Test func guessesAreCountedAcrossConnections() async throws {
        let emulator = try TestEmulator { $0.limits.header = "X-Caller" }
        try await signUp(emulator, "ada@example.com")
        let right = try code(emulator, to: "ada@example.com")
        @Sendable func guess(_ code: String, from caller: String) async throws -> Int {
            let body: JSON = ["type": "signup", "email": "ada@example.com", "token": .string(code)]
            return try await emulator.send(
                HTTPRequest(.post, emulator.server.base + "/verify", headers: ["X-Caller": caller], body: .json(body))
            ).status
        }
        let wrong = right == "000000" ? "000001" : "000000"
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 { group.addTask { try await guess(wrong, from: "10.0.0.1") } }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [403: 30, 429: 30])
        #expect(try await guess(right, from: "10.0.0.1") == 429)
        // No other user is affected, and the limit ends.
        #expect(try await guess(wrong, from: "10.0.0.2") == 403)
        emulator.server.panel.advance(by: .seconds(300))
        #expect(try await guess(right, from: "10.0.0.1") == 200)
    }

    /// GoTrue has one code for the two mails that let a known user in, the magic link and the reset.
    ///
    /// Every other purpose has its own.
    @Test func codesWorkForOneAddressAndOnePurpose() async throws {
        let emulator = try TestEmulator()
        for email in ["ada@example.com", "eve@example.com"] { try await signUp(emulator, email) }
        let adas = try code(emulator, to: "ada@example.com")
        #expect(try await verify(emulator, "signup", "eve@example.com", adas).code == "otp_expired")
        for type in ["recovery", "magiclink", "email_change"] {
            #expect(try await verify(emulator, type, "ada@example.com", adas).code == "otp_expired", "\(type)")
        }
        #expect(try emulator.administrator.account(email: "eve@example.com")?.isEmailConfirmed == false)
        #expect(try await verify(emulator, "signup", "ada@example.com", adas).status == 200)

        _ = try await emulator.post("/recover", ["email": "ada@example.com"])
        let recovery = try code(emulator, to: "ada@example.com")
        for type in ["signup", "invite", "email_change"] {
            #expect(try await verify(emulator, type, "ada@example.com", recovery).code == "otp_expired", "\(type)")
        }
        #expect(try await verify(emulator, "recovery", "eve@example.com", recovery).code == "otp_expired")
        #expect(try await verify(emulator, "recovery", "ada@example.com", recovery).status == 200)
    }

    private func emulator(at provider: EmulatorServer<ScriptedServer>) throws -> TestEmulator {
        provider.emulator.say("userinfo", ["sub": "1", "email": "ada@example.com", "email_verified": true])
        return try TestEmulator {
            $0.providers["keycloak"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: provider.base + "/realm")
        }
    }

    private func state(_ emulator: TestEmulator, _ query: String = "") async throws -> String {
        let there = try await emulator.get("/authorize?provider=keycloak" + query)
        let address = try #require(there.response.headers["location"])
        return String(try #require(address.split(separator: "&").first { $0.hasPrefix("state=") }).dropFirst(6))
    }

    @Test func aCallbackWithoutItsStateIsNotExchanged() async throws {
        let provider = try ScriptedServer.start()
        defer { provider.stop() }
        let emulator = try emulator(at: provider)
        let state = try await state(emulator)
        for foreign in [
            "", "&state=", "&state=\(state.dropLast())", "&state=11111111-1111-4111-8111-111111111111", "&state=x",
        ] {
            let back = try await emulator.get("/callback?code=c" + foreign).response.headers["location"] ?? ""
            #expect(back.contains("error_code=bad_oauth_"), "\(foreign)")
            #expect(!back.contains("access_token") && !back.contains("code=c"))
        }
        // The profile request uses the result of an exchange.
        #expect(provider.emulator.requests("userinfo").isEmpty)
        #expect(try emulator.administrator.userCount() == 0)
        let own = try await emulator.get("/callback?code=c&state=\(state)").response.headers["location"] ?? ""
        #expect(own.contains("#access_token="))
        // A state is valid once.
        let again = try await emulator.get("/callback?code=c&state=\(state)").response.headers["location"] ?? ""
        #expect(again.contains("error_code=bad_oauth_state"))
        #expect(provider.emulator.requests("userinfo").count == 1)
    }

    /// The first session continues, as on the original server.
    @Test func aCodeIsExchangedOnce() async throws {
        let provider = try ScriptedServer.start()
        defer { provider.stop() }
        let emulator = try emulator(at: provider)
        let verifier = String(repeating: "v", count: 43)
        let state = try await state(emulator, "&code_challenge=\(verifier)&code_challenge_method=plain")
        let back = try await emulator.get("/callback?code=c&state=\(state)").response.headers["location"] ?? ""
        let code = try #require(back.split(separator: "code=").last?.prefix(36))
        let body: JSON = ["auth_code": .string(String(code)), "code_verifier": .string(verifier)]
        let answers = try await withThrowingTaskGroup(of: TestEmulator.TestResponse.self) { group in
            for _ in 0..<8 { group.addTask { try await emulator.post("/token?grant_type=pkce", body) } }
            return try await group.reduce(into: [TestEmulator.TestResponse]()) { $0.append($1) }
        }
        #expect(answers.filter { $0.status == 200 }.count == 1)
        #expect(answers.filter { $0.code == "flow_state_not_found" }.count == 7)
        let access = try #require(answers.first { $0.status == 200 })["access_token"]
        #expect(try await emulator.get("/user", bearer: access).status == 200)
    }

    @Test func onlyTheOwnerVerifiesAFactor() async throws {
        let emulator = try TestEmulator()
        let ada = try await emulator.person()["access_token"]
        let eve = try await emulator.person("eve@example.com")["access_token"]
        let factor = try await emulator.post("/factors", ["factor_type": "totp", "friendly_name": "app"], bearer: ada)
        let secret = factor.json["totp"]?["secret"]?.string ?? ""
        let path = "/factors/\(factor["id"])"
        #expect(try await emulator.post(path + "/challenge", bearer: eve).code == "mfa_factor_not_found")
        let challenge = try await emulator.post(path + "/challenge", bearer: ada)
        let code = emulator.code(of: secret)
        let body: JSON = ["challenge_id": .string(challenge["id"]), "code": .string(code)]
        #expect(try await emulator.post(path + "/verify", body, bearer: eve).code == "mfa_factor_not_found")
        #expect(try await emulator.delete(path, bearer: eve).code == "mfa_factor_not_found")
        #expect(try await emulator.post(path + "/verify", body, bearer: ada).status == 200)
    }
}
