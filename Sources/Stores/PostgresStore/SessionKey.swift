public import Lockstep
public import LockstepPrimitives

/// A key in a ``SessionKeyRing`` that encrypts sessions.
///
/// ```swift
/// let key = try SessionKey(id: "2026-01", secret: secret)          // from `openssl rand -base64 32`
/// let ring = try SessionKeyRing(newest: key)
/// ```
public struct SessionKey: Sendable {
    /// The name of the key, which is not secret.
    ///
    /// Each row contains the name of the key that encrypted it.
    public let id: String
    /// The secret: 32 bytes in Base64.
    ///
    /// It is decoded only when it is used, so that no output can show it.
    let secret: Secret

    /// Creates a key for AES-256-GCM, for example from `openssl rand -base64 32`.
    ///
    /// - Parameters:
    ///   - id: The name of the key: 1 to 100 bytes without NUL. Never use one name for two keys.
    ///   - secret: 32 bytes in base64.
    /// - Throws: `unwritable` if the name is invalid, or if the secret is not 32 bytes in base64.
    public init(id: String, secret: Secret) throws(StoreError) {
        guard 1...100 ~= id.utf8.count, !id.utf8.contains(0) else {
            throw StoreError(.unwritable, "The name of a session key must have 1 to 100 bytes without NUL.")
        }
        guard Base64.decode(secret.reveal())?.count == 32 else {
            throw StoreError(
                .unwritable, "The session key \(id) is not 32 bytes in Base64. Create a key with: openssl rand -base64 32")
        }
        self.id = id
        self.secret = secret
    }
}
