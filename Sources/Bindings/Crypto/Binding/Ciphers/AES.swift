#if canImport(CLockstepCrypto)
internal import CLockstepCrypto
internal import LockstepPrimitives

/// The block cipher AES (FIPS 197) with keys of 16 or 32 bytes.
public struct AES: Sendable {
    private let key: [UInt8]

    /// Creates a cipher with a key of 16 bytes (AES-128) or 32 bytes (AES-256).
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for any other length.
    public init(key: [UInt8]) throws(CryptoError) {
        guard key.count == 16 || key.count == 32 else {
            throw CryptoError(.invalidKey, "An AES key must have 16 or 32 bytes, not \(key.count).")
        }
        self.key = key
    }

    /// Encrypts or decrypts in counter mode.
    ///
    /// In this mode, encryption and decryption are the same operation. This mode does not detect changed bytes.
    ///
    /// - Parameters:
    ///   - bytes: The plaintext or the ciphertext.
    ///   - counter: The first block of the counter, 16 bytes. The counter is a big-endian number that grows by 1 for each
    ///     block.
    /// - Returns: The result.
    /// - Throws: ``CryptoError`` with `invalidParameter` if the counter has another length.
    public func countered(_ bytes: [UInt8], counter: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard counter.count == 16 else { throw CryptoError(.invalidParameter, "A counter block must have 16 bytes.") }
        // Safe: the function returns a pointer to a constant of the library.
        let mode = unsafe key.count == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr()
        let cipher = try CipherContext()
        try unsafe cipher.start(mode, key: key, nonce: counter, seals: true)
        return try cipher.update(bytes)
    }

    /// Encrypts and authenticates a message in Galois/counter mode.
    ///
    /// The result consists of a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes that authenticates both. The nonce
    /// always comes from the random generator of the system. If two messages had the same nonce and key, an attacker could read
    /// both and forge others (NIST SP 800-38D, appendix A). A key can encrypt 2^32 messages (section 8.3).
    ///
    /// - Parameters:
    ///   - bytes: The plaintext.
    ///   - context: Bytes that are authenticated, but not included in the result.
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func seal(_ bytes: [UInt8], context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        try seal(bytes, nonce: SystemRandomness().bytes(Self.nonceSize), context: context)
    }

    /// Encrypts with a given nonce, so that a test can compare the result with that of other implementations.
    func seal(_ bytes: [UInt8], nonce: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        let cipher = try begin(nonce: nonce, seals: true)
        try cipher.authenticate(context)
        return nonce + (try cipher.update(bytes)) + (try cipher.tag())
    }

    /// Decrypts a message from ``seal(_:context:)``.
    ///
    /// - Parameters:
    ///   - sealed: The encrypted message.
    ///   - context: The bytes that were authenticated with the message.
    /// - Returns: The plaintext.
    /// - Throws: ``CryptoError`` with `notAuthentic` if the message was changed, or if the key or the context is wrong.
    public func open(_ sealed: [UInt8], context: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= Self.nonceSize + Self.tagSize else {
            throw CryptoError(.notAuthentic, "A sealed message must have at least \(Self.nonceSize + Self.tagSize) bytes.")
        }
        let cipher = try begin(nonce: Array(sealed.prefix(Self.nonceSize)), seals: false)
        try cipher.authenticate(context)
        let bytes = try cipher.update(Array(sealed.dropFirst(Self.nonceSize).dropLast(Self.tagSize)))
        try cipher.check(tag: Array(sealed.suffix(Self.tagSize)))
        return bytes
    }

    private static let nonceSize = 12
    private static let tagSize = 16

    private func begin(nonce: [UInt8], seals: Bool) throws(CryptoError) -> CipherContext {
        guard nonce.count == Self.nonceSize else { throw CryptoError(.invalidParameter, "A nonce must have 12 bytes.") }
        // Safe: the function returns a pointer to a constant of the library.
        let mode = unsafe key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
        let cipher = try CipherContext()
        try unsafe cipher.start(mode, key: key, nonce: nonce, seals: seals)
        return cipher
    }
}
#endif
