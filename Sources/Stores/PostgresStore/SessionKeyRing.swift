public import Lockstep
internal import LockstepCrypto
internal import LockstepPrimitives

/// The keys with which sessions are encrypted at rest (AES-256-GCM): the newest seals, all of them open.
///
/// To rotate: put the new key onto the ring of every machine as an older one; when all have it, make it the newest; call
/// ``PostgresSessionDatabase/reencrypt()``; then take the old one off. A nonce is 12 random bytes, so a key is good for
/// 2^32 writes (NIST SP 800-38D, section 8.3).
public struct SessionKeyRing: Sendable {
    /// The key that new values are sealed with.
    public let newest: SessionKey
    private let secrets: [String: Secret]

    /// A ring.
    ///
    /// - Throws: `unwritable` where two keys have one name.
    public init(newest: SessionKey, older: [SessionKey] = []) throws(StoreError) {
        self.newest = newest
        var secrets: [String: Secret] = [:]
        for key in [newest] + older where secrets.updateValue(key.secret, forKey: key.id) != nil {
            throw StoreError(.unwritable, "Two session keys are named \(key.id). Give each a name of its own.")
        }
        self.secrets = secrets
    }

    /// The first byte of what is sealed: how the rest is to be read.
    private static let format: UInt8 = 1

    /// Encrypts with the newest key; only ``open(_:sealedWith:place:)`` with the same place gives it back.
    func seal(_ bytes: [UInt8], place: AssociatedData) throws(StoreError) -> [UInt8] {
        do {
            let cipher = try cipher(newest.secret)
            return [Self.format] + (try cipher.seal(bytes, context: place.context(newest.id)))
        } catch {
            throw StoreError(.unwritable, "The session cannot be encrypted: \(error)")
        }
    }

    /// Decrypts.
    ///
    /// - Throws: `unreadable` where the key is not on the ring, `corrupt` where anything was changed or moved.
    package func open(_ sealed: [UInt8], sealedWith keyID: String, place: AssociatedData) throws(StoreError) -> [UInt8] {
        guard let secret = secrets[keyID] else {
            throw StoreError(
                .unreadable, "The session was encrypted with the key \(keyID), which is not on this machine's ring. Add it.")
        }
        do {
            guard sealed.first == Self.format else {
                throw CryptoError(.notAuthentic, "It has no form that this version knows.")
            }
            return try cipher(secret).open(Array(sealed.dropFirst()), context: place.context(keyID))
        } catch let error as CryptoError where error.code == .notAuthentic {
            throw StoreError(.corrupt, "The stored session was changed or damaged: \(error.message) It is kept aside.")
        } catch {
            throw StoreError(.unreadable, "The session cannot be decrypted: \(error)")
        }
    }

    /// Distinguishes this secret of a key from any other, and reveals nothing of the secret; `nil` where the key is not on the
    /// ring.
    func proof(of keyID: String) -> [UInt8]? {
        guard let key = secrets[keyID].flatMap({ Base64.decode($0.reveal()) }) else { return nil }
        return Array(HashFunction.sha256.authenticate(Array("lockstep key proof 1\n\(keyID)".utf8), key: key).prefix(16))
    }

    private func cipher(_ secret: Secret) throws -> AES { try AES(key: Base64.decode(secret.reveal()) ?? []) }
}
