#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

/// A key of libcrypto.
///
/// Only this object owns the key, which never changes.
@safe final class KeyHandle: @unchecked Sendable {
    // Sendable: the pointer never changes, and no method here changes the key. libcrypto's own locks protect the data that it
    // caches inside a key while it signs and verifies (openssl-threads(7)).
    private let key: OpaquePointer

    private init(owning key: OpaquePointer) {
        unsafe self.key = key
    }

    deinit {
        // Safe: this object owns one reference, and no method can use it after deinit.
        unsafe EVP_PKEY_free(key)
    }

    /// Makes a new RSA key with the random generator of libcrypto.
    static func generateRSA(bits: Int) throws(CryptoError) -> KeyHandle {
        // Safe: the function returns nil or a key that this object must free.
        guard let key = unsafe lockstep_generate_rsa(bits) else {
            throw .reported(.unavailable, "libcrypto could not create an RSA key")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// Makes a new key on the curve P-256 with the random generator of libcrypto.
    static func generateP256() throws(CryptoError) -> KeyHandle {
        // Safe: the function returns nil or a key that this object must free.
        guard let key = unsafe lockstep_generate_p256() else {
            throw .reported(.unavailable, "libcrypto could not create a P-256 key")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// Reads a private key from DER: PKCS#8, or the older format for its kind.
    convenience init(privateDER der: [UInt8]) throws(CryptoError) {
        // Safe: the library reads at most `count` bytes of a buffer that lives through the call, and moves only this copy of
        // the pointer. It returns nil or a key that this object must free.
        let key = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
        }
        guard let key = unsafe key else { throw .reported(.invalidKey, "The bytes are not a private key in DER") }
        unsafe self.init(owning: key)
    }

    /// Reads a public key from DER (SubjectPublicKeyInfo).
    convenience init(publicDER der: [UInt8]) throws(CryptoError) {
        // Safe: as for private keys.
        let key = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, buffer.count)
        }
        guard let key = unsafe key else { throw .reported(.invalidKey, "The bytes are not a public key in DER") }
        unsafe self.init(owning: key)
    }

    /// Returns the public key as SubjectPublicKeyInfo.
    func publicDER() throws(CryptoError) -> [UInt8] {
        // Safe: without a buffer, the library only returns the length.
        let count = unsafe i2d_PUBKEY(key, nil)
        guard count > 0 else { throw .reported(.invalidKey, "The key has no public part") }
        return unsafe Self.filled(count) { start in unsafe i2d_PUBKEY(key, &start) }
    }

    /// Returns the private key as PKCS#8, not encrypted.
    func privateDER() throws(CryptoError) -> [UInt8] {
        // Safe: the function returns nil or a structure that this object must free; the defer frees it after its last use.
        guard let info = unsafe EVP_PKEY2PKCS8(key) else { throw .reported(.invalidKey, "The key has no private part") }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        guard count > 0 else { throw .reported(.unavailable, "libcrypto could not encode the key") }
        return unsafe Self.filled(count) { start in unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &start) }
    }

    private static func filled(_ count: Int32, _ write: (inout UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
        // Safe: the library writes the `count` bytes that it has just asked for into a buffer of that size. It moves only this
        // copy of the pointer.
        unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var start = buffer.baseAddress
            written = Int(unsafe write(&start))
        }
    }

    /// Signs a digest of the message, or the message itself if there is no hash function (Ed25519).
    func sign(_ message: [UInt8], hash: HashFunction?) throws(CryptoError) -> [UInt8] {
        let context = try SigningContext()
        return unsafe try context.sign(message, key: key, algorithm: hash?.algorithm)
    }

    /// Returns whether a signature of a message is valid for this key.
    func isValid(_ signature: [UInt8], for message: [UInt8], hash: HashFunction?) -> Bool {
        guard let context = try? SigningContext() else { return false }
        return unsafe context.isValid(signature, for: message, key: key, algorithm: hash?.algorithm)
    }
}
#endif
