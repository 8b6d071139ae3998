public import Lockstep
public import LockstepPrimitives

/// One key of a ``SessionKeyRing``.
public struct SessionKey: Sendable {
    /// Its name, which stands in each row that it has sealed; not a secret.
    public let id: String
    /// 32 bytes in Base64; decoded where they are used, so that no form of output shows them.
    let secret: Secret

    /// A key for AES-256-GCM, as `openssl rand -base64 32` makes one.
    ///
    /// - Parameters:
    ///   - id: a name of your own, never used for another key; 1 to 100 bytes without NUL.
    ///   - secret: 32 bytes in Base64.
    /// - Throws: `unwritable` for another length, another encoding or another name.
    public init(id: String, secret: Secret) throws(StoreError) {
        guard 1...100 ~= id.utf8.count, !id.utf8.contains(0) else {
            throw StoreError(.unwritable, "The name of a session key has 1 to 100 bytes without NUL.")
        }
        guard Base64.decode(secret.reveal())?.count == 32 else {
            throw StoreError(
                .unwritable, "The session key \(id) is not 32 bytes in Base64. Make one: openssl rand -base64 32")
        }
        self.id = id
        self.secret = secret
    }
}
