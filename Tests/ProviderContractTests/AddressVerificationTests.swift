import Lockstep
import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Every way to verify a new address.
///
/// The contracts use the first one that a challenge offers.
@Suite("Verification of a new address", .limitedConcurrency)
struct AddressVerificationTests {
    private static let harnesses: [any Harness] = [GoTrueHarness(), FirebaseHarness()]
    private static let old = "ada@example.com"
    private static let new = "countess@example.com"
    private static let password: Secret = "Correct-Horse-1"

    @Test("a new address is used after every notified address is verified", arguments: [0, 1], [false, true])
    func changesTheAddress(_ place: Int, byLink: Bool) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = try await environment.signedIn(Self.old, Self.password)
            var step = try await client.account.changeEmail(to: Self.new)
            #expect(step.challenge?.flow.kind == .emailChange)
            #expect(try await client.refreshUser().email == Self.old)
            let user = try #require(client.state.session?.user.id)
            // A later link to the former address undoes the change.
            var proofs: [SentMessage] = []
            for address in [Self.new, Self.old] {
                if let message = try await environment.message(to: address) { proofs.append(message) }
            }
            do {
                for proof in proofs { step = try await environment.give(proof, to: client, step, byLink: byLink) }
                #expect(step.session?.user.email == Self.new)
            } catch let error as AuthError where error.code == .sessionRevoked && harness.name == "firebase" {
                // Firebase ends every session with a change of address, including the one that requested it.
            }
            let again = try await environment.client().signIn(with: .password(email: Self.new, password: Self.password))
            #expect(again.session?.user.id == user)
        }
    }
}

extension TestEnvironment {
    fileprivate func client() -> AuthClient {
        AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: randomness))
    }

    fileprivate func signedIn(_ email: String, _ password: Secret) async throws -> AuthClient {
        _ = try await administrator?.create(email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada")
        let client = client()
        _ = try await client.signIn(with: .password(email: email, password: password))
        return client
    }

    fileprivate func message(to recipient: String) async throws -> SentMessage? {
        try await outbox?.messages().last { $0.recipient == recipient }
    }

    fileprivate func give(
        _ message: SentMessage, to client: AuthClient, _ step: AuthStep, byLink: Bool
    ) async throws -> AuthStep {
        let flow = try #require(step.flow)
        if !byLink, let code = message.code { return try await client.respond(to: flow, with: .code(Secret(code))) }
        let link = try #require(message.link)
        if !byLink {
            try await browser?.confirm(link)
            return try await client.respond(to: flow, with: .poll)
        }
        let url = try #require(try await browser?.follow(link))
        return try await client.respond(to: flow, with: .link(url))
    }
}
