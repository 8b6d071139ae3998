public import Lockstep
internal import LockstepCrypto
internal import LockstepPrimitives

/// The keys that encrypt sessions in a database (AES-256-GCM).
///
/// The newest key encrypts. All keys decrypt.
///
/// To replace a key:
///
/// - Add the new key to the ring of every machine, as an older key.
/// - When all machines have the new key, make it the newest one.
/// - Call ``PostgresSessionDatabase/reencrypt()``.
/// - Remove the old key.
///
/// A key can encrypt 2^32 values, because each value has a nonce of 12 random bytes (NIST SP 800-38D, section 8.3).
///
/// ```swift
/// let ring = try SessionKeyRing(newest: newKey, older: [oldKey])
/// ```
public struct SessionKeyRing: Sendable {
    /// The key that encrypts new values.
    public let newest: SessionKey
    private let secrets: [ExactString: Secret]

    /// Creates a ring.
    ///
    /// - Parameters:
    ///   - newest: The key that encrypts new values.
    ///   - older: The keys that only decrypt. Default: none.
    /// - Throws: `unwritable` if two keys have the same name.
    public init(newest: SessionKey, older: [SessionKey] = []) throws(StoreError) {
        self.newest = newest
        var secrets: [ExactString: Secret] = [:]
        for key in [newest] + older where secrets.updateValue(key.secret, forKey: key.id.exact) != nil {
            throw StoreError(.unwritable, "Two session keys are named \(key.id). Give each key a different name.")
        }
        self.secrets = secrets
    }

    /// The first byte of an encrypted value, which says how to read the rest.
    private static let format: UInt8 = 1

    /// Encrypts a value with the newest key.
    ///
    /// Only ``open(_:sealedWith:place:)`` with the same place can decrypt it.
    func seal(_ bytes: [UInt8], place: AssociatedData) throws(StoreError) -> [UInt8] {
        do {
            let cipher = try cipher(newest.secret)
            return [Self.format] + (try cipher.seal(bytes, context: place.context(newest.id)))
        } catch {
            throw StoreError(.unwritable, "The session cannot be encrypted: \(error)")
        }
    }

    /// Decrypts a value.
    ///
    /// - Parameters:
    ///   - sealed: The encrypted bytes.
    ///   - keyID: The name of the key that encrypted them.
    ///   - place: The place of the row, which is authenticated.
    /// - Returns: The decrypted bytes.
    /// - Throws: `unreadable` if the ring does not contain the key; `corrupt` if the value was changed or moved.
    package func open(_ sealed: [UInt8], sealedWith keyID: String, place: AssociatedData) throws(StoreError) -> [UInt8] {
        guard let secret = secrets[keyID.exact] else {
            throw StoreError(
                .unreadable,
                "The session was encrypted with the key \(keyID), which is not in this machine's key ring. Add the key.")
        }
        do {
            guard sealed.first == Self.format else {
                throw CryptoError(.notAuthentic, "Its format is unknown to this version.")
            }
            return try cipher(secret).open(Array(sealed.dropFirst()), context: place.context(keyID))
        } catch let error as CryptoError where error.code == .notAuthentic {
            throw StoreError(.corrupt, "The stored session was changed or damaged: \(error.message) It was quarantined.")
        } catch {
            throw StoreError(.unreadable, "The session cannot be decrypted: \(error)")
        }
    }

    /// Returns a text that identifies the secret of a key without revealing it.
    ///
    /// It is `nil` if the ring does not contain the key.
    func proof(of keyID: String) -> [UInt8]? {
        guard let key = secrets[keyID.exact].flatMap({ Base64.decode($0.reveal()) }) else { return nil }
        return Array(HashFunction.sha256.authenticate(Array("lockstep key proof 1\n\(keyID)".utf8), key: key).prefix(16))
    }

    private func cipher(_ secret: Secret) throws -> AES { try AES(key: Base64.decode(secret.reveal()) ?? []) }
}
