import Lockstep

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The usual way of other clients to get a token: an actor reads the stored session and decodes its JSON each time.
///
/// The format of the stored session is GoTrue's response, as its clients store it.
actor StoredSessionActor {
    private struct StoredUser: Codable {
        let id: String
        let email: String
        let role: String
    }

    private struct StoredSession: Codable {
        let accessToken: String
        let refreshToken: String
        let expiresAt: Double
        let user: StoredUser
    }

    private let store: any SessionStore
    private let key = StoreKey(provider: "stand-in", backend: "https://acme.example", slot: .session)

    init(store: any SessionStore) { self.store = store }

    /// Stores a session with a token of this length, which is valid until the far future.
    func keep(tokenOf length: Int) async throws {
        let session = StoredSession(
            accessToken: String(repeating: "a", count: length), refreshToken: "v1rt3fgh2k1p", expiresAt: 4_102_444_800,
            user: StoredUser(id: "0c5a0f9c-6a52-4a2b-9a5e-5b7e0d8b8c11", email: "ada@example.com", role: "authenticated"))
        let before = try await store.load(key)?.revision
        try await store.replace(key, with: Array(try JSONEncoder().encode(session)), unlessChangedSince: before)
    }

    func accessToken(at seconds: Int64) async throws -> String {
        guard let stored = try await store.load(key) else { throw StoreError(.unreadable, "There is no session.") }
        let session = try JSONDecoder().decode(StoredSession.self, from: Data(stored.bytes))
        guard session.expiresAt > Double(seconds) else { throw StoreError(.corrupt, "The session has expired.") }
        return session.accessToken
    }
}
