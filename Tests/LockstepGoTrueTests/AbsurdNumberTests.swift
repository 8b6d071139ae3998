import Lockstep
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// Numeric fields of GoTrue's responses that no contract of all providers covers.
@Suite(.limitedConcurrency)
struct AbsurdNumberTests {
    static let numbers: [JSON] = [.int(.max), .int(.min), 100_000_000_000_000_000, 10_000_000_000_000_000, -1, .double(1e300)]

    @Test(arguments: numbers)
    func passkeyOptionsExpiryIsBounded(_ number: JSON) async throws {
        let project = try Project { $0.passkeys.isEnabled = true }
        try project.server.panel.fail("POST", "/passkeys/authentication/options", with: changing("expires_at", to: number))
        let step = try await project.client().signIn(with: .passkey)
        let challenge = try #require(step.challenge)
        if let end = challenge.expiresAt {
            #expect(end >= project.clock.now)
            #expect(end - project.clock.now <= .seconds(30 * 24 * 3600))
        } else {
            #expect(number.int == nil)
        }
    }

    @Test(arguments: numbers)
    func methodTimesInTheTokenCanBeAnyNumber(_ number: JSON) async throws {
        let project = try Project()
        try project.ada()
        try project.server.panel.fail(
            "POST", "/token", with: changingClaims { $0["amr"] = [["method": "password", "timestamp": number]] })
        let step = try await project.client().signIn(with: .password(email: Project.email, password: Project.password))
        let method = try #require(step.session?.goTrue.methods.first)
        #expect(method.name == "password")
        #expect((method.at == nil) == (number.int == nil))
    }

    @Test(arguments: numbers)
    func tokenLifetimeIsBounded(_ number: JSON) async throws {
        let project = try Project()
        try project.ada()
        try project.server.panel.fail("POST", "/token", with: changing("expires_in", to: number))
        let client = project.client()
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: Project.email, password: Project.password))
            let life = step.session?.lifetime
            #expect(life?.life == TokenLifetime.longest)
            #expect(life?.expiresAt == project.clock.now + TokenLifetime.longest)
        } catch {
            #expect(error.code == .invalidResponse)
            #expect((number.int ?? 0) <= 0)
        }
    }

    @Test(
        arguments: [
            ("expires_in", .null), ("expires_in", 0), ("expires_in", -1), ("expires_in", true),
            ("token_type", "mac"), ("token_type", "DPoP"), ("token_type", 5), ("token_type", ["bearer"]), ("access_token", .null),
            ("access_token", ""), ("refresh_token", 5),
            ("user", []),
        ] as [(String, JSON)])
    func anAnswerThatIsNotASessionIsReported(_ name: String, _ value: JSON) async throws {
        let project = try Project()
        try project.ada()
        try project.server.panel.fail("POST", "/token", with: changing(name, to: value))
        let client = project.client()
        let credential = PasswordCredential.password(email: Project.email, password: Project.password)
        #expect(try await refusal { try await client.signIn(with: credential) }.code == .invalidResponse)
        #expect(client.state.session == nil)
        #expect(try await client.signIn(with: credential).session != nil)
    }

    @Test(arguments: ["100000000000000000", "99999999999999999999999999", "-5", "1e17", "", "Sun, 06 Nov 9994 08:49:37 GMT"])
    func resendWaitIsBounded(_ value: String) async throws {
        let project = try Project { $0.mail.interval = .milliseconds(1) }
        let client = project.client()
        let step = try await client.signUp(with: .password(email: Project.email, password: Project.password))
        project.advance(by: .seconds(120))
        try project.server.panel.fail("POST", "/resend", with: .status(429, body: [:], headers: ["Retry-After": value]))
        let flow = try #require(step.flow)
        let error = try await refusal { try await client.resend(flow) }
        #expect(error.code == .tooManyRequests)
        guard case .after(let wait) = error.retry else {
            Issue.record("The advice is \(error.retry)")
            return
        }
        // An impossible retry time is ignored, and the adapter's own is used.
        let isTime = ["1000", "999", "Sun"].contains { value.hasPrefix($0) }
        #expect(wait == (isTime ? RetryAdvice.longest : .seconds(60)))
    }

    private func changing(_ name: String, to number: JSON) -> FaultEffect {
        .changeResponse { response in
            var copy = response
            if var object = (try? JSON.parse(response.body))?.object {
                object[name] = number
                copy.body = JSON.object(object).bytes()
            }
            return copy
        }
    }

    private func changingClaims(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> FaultEffect {
        .changeResponse { response in
            var copy = response
            if var object = (try? JSON.parse(response.body))?.object, let token = object["access_token"]?.string,
                var claims = CompactToken.unverifiedClaims(of: token)
            {
                change(&claims)
                var parts = token.split(separator: ".").map(String.init)
                parts[1] = Base64.encode(JSON.object(claims).bytes(), .url)
                object["access_token"] = .string(parts.joined(separator: "."))
                copy.body = JSON.object(object).bytes()
            }
            return copy
        }
    }
}
