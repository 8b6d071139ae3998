import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Numeric fields of Clerk's responses that no contract of all providers covers.
@Suite(.limitedConcurrency)
struct AbsurdNumberTests {
    static let numbers: [JSON] = [.int(.max), .int(.min), 100_000_000_000_000_000, -1, .double(1e300)]

    @Test(arguments: numbers)
    func codeExpiryIsBounded(_ number: JSON) async throws {
        try await Instance.run([("CLIENT_TRUST", "true")]) { instance in
            let credential = try await instance.member()
            try instance.server.panel.fail(
                "POST", "*/prepare_second_factor",
                with: changing { $0.replacing("expire_at", with: number) })
            let step = try await instance.client().signIn(with: credential)
            let end = try #require(step.challenge?.expiresAt)
            #expect(end >= instance.clock.now - .seconds(5))
            #expect(end - instance.clock.now <= .seconds(30 * 24 * 3600))
        }
    }

    @Test(arguments: numbers)
    func lockDurationIsBounded(_ number: JSON) async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let body: JSON = [
                "errors": [
                    ["code": "user_locked", "message": "m", "meta": ["lockout_expires_in_seconds": number]]
                ]
            ]
            try instance.server.panel.fail("POST", "/v1/client/sign_ins", with: .status(403, body: body))
            let client = try instance.client()
            do throws(AuthError) {
                _ = try await client.signIn(with: credential)
                Issue.record("The sign-in went through.")
            } catch {
                #expect(error.code == .tooManyRequests)
                guard case .after(let wait) = error.retry else {
                    Issue.record("The advice is \(error.retry)")
                    return
                }
                let told = number.int.map { $0 < 0 ? Duration.zero : RetryAdvice.longest }
                #expect(wait == told ?? .seconds(30))
            }
        }
    }

    private func changing(_ change: @escaping @Sendable (JSON) -> JSON) -> FaultEffect {
        .changeResponse { response in
            var copy = response
            if let json = try? JSON.parse(response.body) { copy.body = change(json).bytes() }
            return copy
        }
    }
}

extension JSON {
    /// The same document with another value for every member with that name.
    fileprivate func replacing(_ name: String, with value: JSON) -> JSON {
        switch self {
        case .object(let object):
            .object(JSONObject(object.map { ($0.name, $0.name == name ? value : $0.value.replacing(name, with: value)) }))
        case .array(let elements): .array(elements.map { $0.replacing(name, with: value) })
        default: self
        }
    }
}
