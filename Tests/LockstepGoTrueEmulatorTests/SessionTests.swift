import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct SessionTests {
    @Test func lastUsedSessionIsTheOnlyOne() async throws {
        let emulator = try TestEmulator { $0.sessions.isSinglePerUser = true }
        let old = try await emulator.person()
        emulator.server.panel.advance(by: .seconds(1))
        let new = try await emulator.person()
        let refused = try await emulator.refresh(old["refresh_token"])
        #expect(refused.code == "session_expired")
        #expect(refused["msg"] == "Invalid Refresh Token: Session Expired (Revoked by Newer Login)")
        #expect(try await emulator.get("/user", bearer: old["access_token"]).status == 200)
        _ = try await emulator.post("/logout?scope=local", bearer: new["access_token"])
        #expect(try await emulator.refresh(old["refresh_token"]).status == 200, "The newer one is gone.")
    }

    @Test func endedSessionRevokesNoOther() async throws {
        let emulator = try TestEmulator {
            $0.sessions.isSinglePerUser = true
            $0.sessions.idleLife = .seconds(600)
        }
        let first = try await emulator.person()
        emulator.server.panel.advance(by: .seconds(500))
        _ = try await emulator.person()
        emulator.server.panel.advance(by: .seconds(101))
        #expect(try await emulator.refresh(first["refresh_token"])["msg"].hasSuffix("(Inactivity)"))
        emulator.administrator.change { $0.sessions.idleLife = nil }
        #expect(try await emulator.refresh(first["refresh_token"])["msg"].hasSuffix("(Revoked by Newer Login)"))
    }

    @Test(arguments: [1, 2])
    func idleTimeStartsAtTheLastRefresh(_ version: Int) async throws {
        let emulator = try TestEmulator {
            $0.sessions.idleLife = .seconds(600)
            $0.refresh.version = version
        }
        var session = try await emulator.person()
        for _ in 0..<3 {
            emulator.server.panel.advance(by: .seconds(599))
            session = try await emulator.refresh(session["refresh_token"])
            #expect(session.status == 200)
        }
        emulator.server.panel.advance(by: .seconds(601))
        #expect(try await emulator.refresh(session["refresh_token"])["msg"].hasSuffix("Session Expired (Inactivity)"))
    }

    @Test func lowAssuranceSessionExpiresEarly() async throws {
        let emulator = try TestEmulator { $0.sessions.lowAssuranceLife = .seconds(600) }
        let session = try await emulator.person()
        let app = try await emulator.enrollApp(session["access_token"])
        let low = try await emulator.person()
        let life = (low.json["expires_at"]?.int ?? 0) - emulator.server.environment.now.seconds
        #expect(life == 600, "The access token ends with the session.")
        #expect(low.json["expires_in"] == 600)
        emulator.server.panel.advance(by: .seconds(601))
        #expect(
            try await emulator.refresh(low["refresh_token"])["msg"].hasSuffix("(Low AAL: User Needs MFA Verification)"))
        #expect(try await emulator.refresh(app.session["refresh_token"]).status == 200)
    }

    @Test func tokenOfAnEndedFamilyIsRejected() async throws {
        let emulator = try TestEmulator { $0.refresh.reuseInterval = .seconds(10) }
        let first = try await emulator.person()
        let second = try await emulator.refresh(first["refresh_token"])
        let third = try await emulator.refresh(second["refresh_token"])
        emulator.server.panel.advance(by: .seconds(11))
        #expect(try await emulator.refresh(first["refresh_token"]).code == "refresh_token_already_used")
        // All tokens of the family are used up now. Earlier ones keep their times.
        for token in [first, second] {
            #expect(try await emulator.refresh(token["refresh_token"]).code == "refresh_token_already_used")
        }
        let early = try await emulator.refresh(third["refresh_token"])
        #expect(early.status == 200, "It was revoked just now, which the interval forgives.")
    }

    @Test func sessionRemembersItsLast1000UsedTokens() async throws {
        let emulator = try TestEmulator { $0.refresh.punishesReuse = false }
        var tokens = [try await emulator.person()["refresh_token"]]
        while tokens.count < 1_100 { tokens.append(try await emulator.refresh(tokens[tokens.count - 1])["refresh_token"]) }
        #expect(try await emulator.refresh(tokens[0]).code == "refresh_token_not_found")
        for token in [tokens[100], tokens[1_000]] {
            #expect(try await emulator.refresh(token).code == "refresh_token_already_used")
        }
        #expect(try await emulator.refresh(tokens[1_099]).status == 200)
    }

    @Test func tokenSignedByAnotherServerIsUnknown() async throws {
        let emulator = try TestEmulator { $0.refresh.version = 2 }
        let other = try TestEmulator { $0.refresh.version = 2 }
        let own = try await emulator.person()
        #expect(try await other.refresh(own["refresh_token"]).code == "refresh_token_not_found")
    }

    /// Within the interval and after it: a client that could not store the response gets the same one again, as from the
    /// original server.
    @Test(arguments: [0, 10]) func parentTokenGetsTheSameChildAgain(_ interval: Int) async throws {
        let emulator = try TestEmulator { $0.refresh.reuseInterval = .seconds(interval) }
        let first = try await emulator.person()
        let child = try await emulator.refresh(first["refresh_token"])
        for _ in 0..<3 {
            emulator.server.panel.advance(by: .seconds(8))
            let again = try await emulator.refresh(first["refresh_token"])
            #expect(again.status == 200 && again["refresh_token"] == child["refresh_token"])
        }
        let grandchild = try await emulator.refresh(child["refresh_token"])
        emulator.server.panel.advance(by: .seconds(interval + 1))
        #expect(try await emulator.refresh(first["refresh_token"]).code == "refresh_token_already_used")
        emulator.server.panel.advance(by: .seconds(interval + 1))
        #expect(
            try await emulator.refresh(grandchild["refresh_token"]).code == "refresh_token_already_used", "the family has ended")
    }

    @Test(arguments: [1, 2]) func concurrentUsesOfATokenKeepOneFamily(_ version: Int) async throws {
        let emulator = try TestEmulator { $0.refresh.version = version }
        let first = try await emulator.person()
        var token = first["refresh_token"]
        let id = first.json["user"]?["id"]?.string ?? ""
        for _ in 0..<5 {
            let sent = token
            let answers = try await withThrowingTaskGroup(of: TestEmulator.TestResponse.self) { group in
                for _ in 0..<12 { group.addTask { try await emulator.refresh(sent) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.status))")
            #expect(Set(answers.map { $0["refresh_token"] }).count == 1, "more than one child")
            let sessions = answers.map { CompactToken.unverifiedClaims(of: $0["access_token"])?["session_id"]?.string }
            #expect(Set(sessions).count == 1 && sessions.first != .some(nil))
            #expect(try emulator.administrator.countSessions(of: id) == 1)
            token = answers[0]["refresh_token"]
        }
        // One theft ends everything: there is no second family that could continue.
        emulator.server.panel.advance(by: .seconds(60))
        #expect(try await emulator.refresh(first["refresh_token"]).status == 400)
        emulator.server.panel.advance(by: .seconds(60))
        #expect(try await emulator.refresh(token).status == 400)
    }

    @Test func allowedReuseCreatesANewChild() async throws {
        let emulator = try TestEmulator { $0.refresh.reuseInterval = .seconds(10) }
        let first = try await emulator.person()
        let second = try await emulator.refresh(first["refresh_token"])
        _ = try await emulator.refresh(second["refresh_token"])
        let again = try await emulator.refresh(first["refresh_token"])
        #expect(again.status == 200 && again["refresh_token"] != second["refresh_token"])
        #expect(again.response.headers["sb-auth-refresh-token-reuse"] == nil)
    }
}
