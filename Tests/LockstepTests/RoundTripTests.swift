import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// Redirects to the pages of an identity provider, from the page to the session.
struct RoundTripTests {
    private static let grace = InMemoryIDToken(
        subject: "grace", email: "grace@example.com", name: "Grace Hopper", expiresAt: .distantFuture)
    private let clock = ManualClock(base: FixedClock())
    private let backend: InMemoryBackend

    init() {
        backend = InMemoryBackend(clock: clock)
    }

    private func client() -> AuthClient {
        AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    private func back(from step: AuthStep) async throws -> String {
        guard case .redirect(let redirect) = step else { throw AuthError(.unknown, "The step is no page: \(step).") }
        return try await backend.consent(to: redirect.url, as: Self.grace)
    }

    private func end(_ client: AuthClient, _ url: String) async throws -> AuthStep {
        switch await client.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: throw AuthError(.linkInvalid, "The link is another app's.")
        }
    }

    @Test func redirectSignsInOnce() async throws {
        let (client, other) = (client(), client())
        let url = try await back(from: try await client.signIn(with: .oauth(.apple)))
        let elsewhere = await #expect(throws: AuthError.self) { try await end(other, url) }
        #expect(elsewhere?.code == .flowStartedElsewhere)
        let session = try #require(try await end(client, url).session)
        #expect(session.user.displayName == "Grace Hopper")
        #expect(session.user.identities.map(\.provider) == [.apple])
        let again = try await back(from: try await other.signIn(with: .oauth(.apple)))
        #expect(try await end(other, again).session?.user.id == session.user.id)
    }

    @Test func redirectLinksAnIdentity() async throws {
        let client = client()
        let guest = try #require(try await client.signIn(with: .anonymous).session)
        let url = try await back(from: try await client.account.link(.oauth(.apple)))
        let session = try #require(try await end(client, url).session)
        #expect(session.user.id == guest.user.id)
        #expect(session.user.identities.map(\.provider) == [.apple])
    }

    @Test func redirectExpires() async throws {
        let client = client()
        let url = try await back(from: try await client.signIn(with: .oauth(.apple)))
        clock.advance(by: backend.settings.proofLife)
        let error = await #expect(throws: AuthError.self) { try await end(client, url) }
        #expect(error?.code == .linkExpired)
    }
}
