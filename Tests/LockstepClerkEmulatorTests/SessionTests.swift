import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Sessions, their tokens, and the client's own token.
@Suite(.limitedConcurrency)
struct SessionTests {
    /// Public routes are for everybody, also for a device whose session has just ended.
    ///
    /// The response finds no client, and so writes nothing.
    @Test(arguments: [
        "/.well-known/jwks.json", "/.well-known/openid-configuration", "/v1/health", "/v1/proxy-health?domain_id=x",
    ])
    func deviceOfAnEndedSessionReadsPublicRoutes(path: String) async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        emulator.pass(8 * 86_400)
        let request = HTTPRequest(.get, emulator.server.base + path, headers: ["Authorization": device.token])
        #expect(try await emulator.send(request).status == 200)
        #expect(try await device.get("/client").response["sessions"]?[0]?["status"] == "expired")
    }

    @Test func tokensAreSignedAndLiveAMinute() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let session = try await device.signUp()
        let first = try await device.sessionToken()
        #expect(first.json["object"] == "token" && first.json["response"] == nil)
        let second = try await device.sessionToken()
        #expect(first.json["jwt"] != second.json["jwt"])
        let keys = try JSONWebKeySet(
            try await emulator.send(HTTPRequest(.get, emulator.server.base + "/.well-known/jwks.json")).json)
        #expect(try JSONWebKeySet(try await emulator.backend(.get, "/jwks").json) == keys)
        let verifier = TokenVerifier(
            keys: keys.verificationKeys, rules: TokenRules(issuers: [emulator.server.base], audiences: .notInTokens))
        let text = first.json["jwt"]?.string ?? ""
        let claims = try verifier.verify(text, at: emulator.server.panel.clock.now).claims
        #expect(claims["sid"]?.string == session["created_session_id"])
        #expect(claims["sub"]?.string == session["created_user_id"])
        #expect(claims["v"] == 2 && claims["sts"] == "active" && claims["fva"] == [0, -1] && claims["azp"] == nil)
        #expect((claims["exp"]?.int ?? 0) - (claims["iat"]?.int ?? 0) == 60)
        #expect(try emulator.admin.accepts(sessionToken: Secret(text)))
        emulator.pass(120)
        #expect(try !emulator.admin.accepts(sessionToken: Secret(text)))
        #expect(try await device.sessionToken().status == 200)
    }

    @Test func signOutEndsTheSessionAndKeepsTheClient() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let session = try await device.signUp()["created_session_id"]
        let out = try await device.call(.delete, "/client/sessions")
        #expect(out.response["sessions"] == [] && out.client == .null)
        #expect(!device.token.isEmpty)
        let late = try await device.post("/client/sessions/\(session)/tokens")
        #expect(late.status == 404 && late.code == "resource_not_found")
        let gone = try await device.get("/me")
        #expect(gone.status == 401 && gone.code == "signed_out")
        let forgotten = try await device.call(.delete, "/client")
        #expect(forgotten.status == 200 && device.token.isEmpty)
        let client = try await device.get("/client")
        #expect(client.status == 200 && client.response == .null && client.client == .null)
    }

    @Test func endedSessionsStayListedUnlessRemoved() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let first = try await device.signUp()["created_session_id"]
        let second = try await device.signUp("bob@example.com")["created_session_id"]
        let touched = try await device.post(
            "/client/sessions/\(first)/touch", ["intent": "select_session", "active_organization_id": ""])
        #expect(touched.client["last_active_session_id"]?.string == first)
        let removed = try await device.post("/client/sessions/\(first)/remove")
        #expect(removed["status"] == "removed")
        #expect(removed.client["last_active_session_id"]?.string == second)
        #expect(removed.client["sessions"]?.array?.count == 1)
        let ended = try await device.post("/client/sessions/\(second)/end")
        #expect(ended["status"] == "ended" && ended.client["sessions"]?[0]?["status"] == "ended")
        #expect(ended.client["last_active_session_id"] == .null)
        #expect(try await device.post("/client/sessions/\(second)/tokens").code == "authentication_invalid")
    }

    @Test func anotherDeviceCanBeRevoked() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let own = try await device.signUp()["created_session_id"]
        let other = emulator.device()
        let foreign = try await other.signIn()["created_session_id"]
        let list = try await device.get("/me/sessions/active")
        #expect(list.json.array?.count == 2 && list.json[0]?["latest_activity"]?["object"] == "session_activity")
        #expect(try await device.post("/me/sessions/\(own)/revoke").code == "invalid_action_for_session")
        #expect(try await device.post("/me/sessions/\(foreign)/revoke")["status"] == "revoked")
        #expect(try await other.sessionToken().status >= 401)
        #expect(try await device.sessionToken().status == 200)
    }

    @Test func sessionsExpireAndAreAbandoned() async throws {
        let emulator = try TestEmulator { $0.sessionInactivity = .seconds(3600) }
        let device = emulator.device()
        let session = try await device.signUp()["created_session_id"]
        emulator.pass(3000)
        _ = try await device.post("/client/sessions/\(session)/touch", ["intent": "focus"])
        emulator.pass(3000)
        #expect(try await device.sessionToken().status == 200)
        emulator.pass(700)
        #expect(try await device.get("/client").response["sessions"]?[0]?["status"] == "abandoned")
        _ = try await device.signIn()
        emulator.admin.change { $0.sessionInactivity = .seconds(100 * 24 * 3600) }
        _ = try await device.call(.delete, "/client/sessions")
        _ = try await device.signIn()
        emulator.pass(7 * 24 * 3600 + 1)
        #expect(try await device.get("/client").response["sessions"]?[0]?["status"] == "expired")
    }

    @Test func formerClientTokenIsAcceptedForAGracePeriod() async throws {
        let emulator = try TestEmulator { $0.clientTokenGrace = .seconds(60) }
        let device = emulator.device()
        _ = try await device.post("/client")
        let old = device.token
        try await device.signUp()
        let new = device.token
        #expect(old != new)
        device.token = old
        let healed = try await device.get("/client")
        #expect(healed.response["sessions"]?.array?.count == 1)
        #expect(device.token == new)
        device.token = "Bearer \(new)"
        #expect(try await device.get("/client").response["sessions"]?.array?.count == 1)
        emulator.pass(61)
        device.token = old
        #expect(try await device.get("/client").response == .null)
        device.token = "garbage"
        #expect(try await device.get("/client").response == .null)
        #expect(try await device.get("/me").code == "authentication_invalid")
    }

    @Test func concurrentUsesOfAClientTokenKeepOneSession() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let session = try await device.signUp()["created_session_id"]
        let token = device.token
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    let twin = emulator.device()
                    twin.token = token
                    return try await twin.post("/client/sessions/\(session)/tokens")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.status))")
        let sessions = answers.map { CompactToken.unverifiedClaims(of: $0.json["jwt"]?.string ?? "")?["sid"]?.string }
        #expect(Set(sessions) == [session])
        #expect(try await device.get("/client").response["sessions"]?.array?.count == 1)
        _ = try await device.call(.delete, "/client/sessions")
        #expect(try await device.post("/client/sessions/\(session)/tokens").status == 404)
    }

    @Test func templatesDefineTheirTokens() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let session = try await device.signUp()
        let template = try await emulator.backend(
            .post, "/jwt_templates",
            [
                "name": "db", "lifetime": 300,
                "claims": ["role": "member", "mail": "{{user.primary_email_address}}", "id": "{{user.external_id || user.id}}"],
            ])
        #expect(template.status == 200 && template.json["signing_algorithm"] == "RS256")
        let path = "/client/sessions/\(session["created_session_id"])/tokens"
        #expect(try await device.post(path + "/nothing").code == "resource_not_found")
        let text = try await device.post(path + "/db").json["jwt"]?.string ?? ""
        let claims = try UnverifiedToken(text).claims
        #expect(claims["role"] == "member" && claims["mail"] == "ada@example.com" && claims["sid"] == nil)
        #expect(claims["id"]?.string == session["created_user_id"])
        #expect((claims["exp"]?.int ?? 0) - (claims["iat"]?.int ?? 0) == 300)
    }

    @Test func sensitiveCallNeedsReverification() async throws {
        let emulator = try TestEmulator { $0.asksAgain = true }
        let device = emulator.device()
        let session = try await device.signUp()["created_session_id"]
        emulator.pass(601)
        let refused = try await device.call(.delete, "/me")
        #expect(refused.status == 403 && refused.code == "session_reverification_required")
        let path = "/client/sessions/\(session)/verify"
        #expect(
            try await device.post(path + "/attempt_first_factor", ["strategy": "password"]).code
                == "session_reverification_missing")
        let begun = try await device.post(path, ["level": "second_factor"])
        #expect(begun["level"] == "first_factor" && begun["status"] == "needs_first_factor")
        #expect(begun.strategies("supported_first_factors") == ["password", "email_code"])
        let wrong = try await device.post(path + "/attempt_first_factor", ["strategy": "password", "password": "wrong password"])
        #expect(wrong.code == "form_password_incorrect")
        #expect(try await device.sessionToken().status == 200)
        let done = try await device.post(
            path + "/attempt_first_factor", ["strategy": "password", "password": TestEmulator.password])
        #expect(done["status"] == "complete" && done.response["session"]?["factor_verification_age"] == [0, -1])
        let deleted = try await device.call(.delete, "/me")
        #expect(deleted.response["deleted"] == true && deleted.client["sessions"] == [])
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await emulator.device().signIn().code == "form_identifier_not_found")
    }
}
