import Foundation
import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// This version reads the sessions of every released version.
@Suite("Stored sessions of earlier versions")
struct SessionFixtureTests {
    private func client(of fixture: String) async throws -> AuthClient {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = try Data(contentsOf: root.appendingPathComponent("Fixtures/Sessions/\(fixture).json"))
        let (store, adapter) = (MemorySessionStore(), InMemoryAdapter(backend: InMemoryBackend()))
        let key = StoreKey(provider: adapter.name, backend: adapter.backend, slot: .session)
        try await store.replace(key, with: Array(bytes), unlessChangedSince: nil)
        let effects = ClientEffects(clock: FixedClock(bootID: "fixture"), randomness: SeededRandomness(seed: 1))
        return AuthClient(adapter: adapter, store: store, effects: effects)
    }

    @Test("a full session, with fields of a later version", arguments: ["envelope-1"])
    func readsASessionWithUnknownFields(_ version: String) async throws {
        let client = try await client(of: "\(version)/full")
        guard case .signedIn(let session) = await client.restore() else { return #expect(Bool(false), "\(client.state)") }
        #expect(session.user.id == "user-1")
        #expect(session.user.displayName == "Ada")
        #expect(session.user.identities.map(\.provider) == [.email, .apple])
        #expect(session.user.fields == ["role": "admin"])
        #expect(session.assurance == .twoFactors)
        #expect(session.claims["aal"] == "aal2")
        #expect(session.refreshToken == "refresh-canary")
        let token = try await client.accessToken()
        #expect(token == "access-canary")
    }

    @Test("a guest's session", arguments: ["envelope-1"])
    func readsAGuestSession(_ version: String) async throws {
        let client = try await client(of: "\(version)/guest")
        guard case .anonymous(let session) = await client.restore() else { return #expect(Bool(false), "\(client.state)") }
        #expect(session.user.id == "guest-1")
    }

    @Test("an unverified session", arguments: ["envelope-1"])
    func readsAnUnverifiedSession(_ version: String) async throws {
        let client = try await client(of: "\(version)/unverified")
        guard case .unverified(let pending) = await client.restore() else { return #expect(Bool(false), "\(client.state)") }
        #expect(pending.session?.user.id == "user-2")
    }
}
