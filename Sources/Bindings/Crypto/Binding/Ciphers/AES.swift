#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

/// The block cipher AES (FIPS 197) with keys of 16 or 32 bytes.
public struct AES: Sendable {
    private let key: [UInt8]

    /// A cipher with a key of 16 bytes (AES-128) or 32 (AES-256).
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for any other length.
    public init(key: [UInt8]) throws(CryptoError) {
        guard key.count == 16 || key.count == 32 else {
            throw CryptoError(.invalidKey, "An AES key has 16 or 32 bytes, not \(key.count).")
        }
        self.key = key
    }

    /// Encrypts or decrypts in counter mode: both are the same, and neither notices a change.
    ///
    /// - Parameters:
    ///   - bytes: The text, clear or not.
    ///   - counter: The first block of the counter, 16 bytes, counted up as one big-endian number.
    /// - Throws: ``CryptoError`` with `invalidParameter` where the counter has another length.
    public func countered(_ bytes: [UInt8], counter: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard counter.count == 16 else { throw CryptoError(.invalidParameter, "A counter block has 16 bytes.") }
        // Safe: the function returns a pointer to a constant of the library.
        let mode = unsafe key.count == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr()
        let cipher = try CipherContext()
        try unsafe cipher.start(mode, key: key, nonce: counter, seals: true)
        return try cipher.update(bytes)
    }

    /// Encrypts in Galois/counter mode and appends the 16 bytes that prove it whole.
    ///
    /// - Parameters:
    ///   - bytes: The clear text.
    ///   - nonce: 12 bytes that are never used twice with one key.
    ///   - context: Bytes that are proven with it but not contained.
    /// - Throws: ``CryptoError`` with `invalidParameter` where the nonce has another length.
    public func seal(_ bytes: [UInt8], nonce: [UInt8], context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        let cipher = try begin(nonce: nonce, seals: true)
        try cipher.authenticate(context)
        return try cipher.update(bytes) + cipher.tag()
    }

    /// Decrypts what ``seal(_:nonce:context:)`` made.
    ///
    /// - Throws: ``CryptoError`` with `notAuthentic` where anything was changed, or key, nonce or context are others.
    public func open(_ sealed: [UInt8], nonce: [UInt8], context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= 16 else { throw CryptoError(.notAuthentic, "A sealed message has at least 16 bytes.") }
        let cipher = try begin(nonce: nonce, seals: false)
        try cipher.authenticate(context)
        let bytes = try cipher.update(Array(sealed.dropLast(16)))
        try cipher.check(tag: Array(sealed.suffix(16)))
        return bytes
    }

    private func begin(nonce: [UInt8], seals: Bool) throws(CryptoError) -> CipherContext {
        guard nonce.count == 12 else { throw CryptoError(.invalidParameter, "A nonce has 12 bytes.") }
        // Safe: the function returns a pointer to a constant of the library.
        let mode = unsafe key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
        let cipher = try CipherContext()
        try unsafe cipher.start(mode, key: key, nonce: nonce, seals: seals)
        return cipher
    }
}
#endif
