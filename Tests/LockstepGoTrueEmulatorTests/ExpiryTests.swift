import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Expired objects are removed a day later, and until then reported as expired.
@Suite(.limitedConcurrency)
struct ExpiryTests {
    private let day = Int(Sweeper.grace.components.seconds)

    private func pass(_ seconds: Int, _ emulator: TestEmulator) { emulator.server.panel.advance(by: .seconds(seconds)) }

    @Test func expiredFlowIsForgottenAfterADay() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        let challenge = String(repeating: "a", count: 43)
        let asked: JSON = ["email": "ada@example.com", "code_challenge": .string(challenge), "code_challenge_method": "plain"]
        #expect(try await emulator.post("/recover", asked).status == 200)
        let link = try #require(emulator.server.panel.outbox.mails(to: "ada@example.com").first?.link)
        let target = try await emulator.send(HTTPRequest(.get, link)).response.headers["location"] ?? ""
        let code = try #require(target.split(separator: "=").last.map(String.init))
        let exchange: JSON = ["auth_code": .string(code), "code_verifier": .string(challenge)]
        pass(301, emulator)
        #expect(try await emulator.post("/token?grant_type=pkce", exchange).code == "flow_state_expired")
        pass(day - 60, emulator)
        #expect(try await emulator.post("/token?grant_type=pkce", exchange).code == "flow_state_expired")
        pass(700, emulator)
        #expect(try await emulator.post("/token?grant_type=pkce", exchange).code == "flow_state_not_found")
    }

    @Test func expiredLinkGetsTheSameResponseAfterItsRemoval() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        _ = try await emulator.post("/recover", ["email": "ada@example.com"])
        let link = try #require(emulator.server.panel.outbox.mails(to: "ada@example.com").first?.link)
        for wait in [day + 1, 2 * day] {
            pass(wait, emulator)
            let target = try await emulator.send(HTTPRequest(.get, link)).response.headers["location"] ?? ""
            #expect(target.contains("error_code=otp_expired"), "\(target)")
        }
    }

    @Test func aSessionThatHasTimedOutIsReportedForADay() async throws {
        let emulator = try TestEmulator { $0.sessions.life = .seconds(3600) }
        let token = try await emulator.person()["refresh_token"]
        pass(3700, emulator)
        #expect(try await emulator.refresh(token).code == "session_expired")
        pass(day + 600, emulator)
        #expect(try await emulator.refresh(token).code == "refresh_token_not_found")
    }

    /// A session without an expiry, and the record of a reused token, survive every sweep.
    @Test func activeSessionKeepsItsTokens() async throws {
        let emulator = try TestEmulator()
        let first = try await emulator.person()["refresh_token"]
        let second = try await emulator.refresh(first)["refresh_token"]
        pass(400 * day, emulator)
        #expect(try await emulator.refresh(second).status == 200)
        #expect(try await emulator.refresh(first).code == "refresh_token_already_used")
    }
}
