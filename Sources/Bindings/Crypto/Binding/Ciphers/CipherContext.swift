#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

/// One run of a cipher.
///
/// One function call owns the context, and frees it at the end.
@safe final class CipherContext {
    private let context: OpaquePointer

    init() throws(CryptoError) {
        // Safe: a new context without any other owner; deinit frees it once.
        guard let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .reported(.unavailable, "libcrypto has no memory for a cipher")
        }
        unsafe self.context = context
    }

    deinit {
        // Safe: the pointer came from EVP_CIPHER_CTX_new, and no method can use it after deinit.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Begins the run.
    ///
    /// The caller has checked that the key and the nonce have the right lengths for `mode`.
    func start(_ mode: OpaquePointer?, key: [UInt8], nonce: [UInt8], seals: Bool) throws(CryptoError) {
        // Safe: the library copies the key and the nonce out of arrays that live through the call. Their lengths are those of
        // the mode.
        guard unsafe EVP_CipherInit_ex(context, mode, nil, key, nonce, seals ? 1 : 0) == 1 else {
            throw .reported(.unavailable, "libcrypto could not start the cipher")
        }
    }

    /// Adds bytes that the tag authenticates, without encrypting them.
    func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
        guard !bytes.isEmpty else { return }
        var count: Int32 = 0
        // Safe: without an output, the library only reads `bytes`, which lives through the call, up to its count.
        guard unsafe EVP_CipherUpdate(context, nil, &count, bytes, Int32(bytes.count)) == 1 else {
            throw .reported(.unavailable, "libcrypto did not accept the context")
        }
    }

    /// Encrypts or decrypts bytes.
    ///
    /// CTR and GCM are stream modes, so the result has the same length.
    func update(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        guard bytes.count < Int(Int32.max) else {
            throw CryptoError(.invalidParameter, "A message must have fewer than 2^31 bytes.")
        }
        var output = [UInt8](repeating: 0, count: bytes.count)
        var count: Int32 = 0
        // Safe: a stream mode writes exactly as many bytes as it reads, and `output` has room for them. Both arrays live
        // through the call.
        guard unsafe EVP_CipherUpdate(context, &output, &count, bytes, Int32(bytes.count)) == 1, Int(count) == bytes.count else {
            throw .reported(.unavailable, "libcrypto could not run the cipher")
        }
        return output
    }

    /// Ends an encryption, and returns its tag of 16 bytes.
    func tag() throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        // Safe: ending a stream mode writes nothing, but the library requires a buffer, here `tag`. The control call then
        // writes 16 bytes, the number in its argument.
        let isDone =
            unsafe EVP_CipherFinal_ex(context, &tag, &count) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        guard isDone else { throw .reported(.unavailable, "libcrypto could not finish the cipher") }
        return tag
    }

    /// Ends a decryption, and checks its tag.
    func check(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        var rest = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        // Safe: the control call copies 16 bytes out of `tag`, which the caller has cut to this length. Ending a stream mode
        // writes nothing.
        let isDone =
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1
            && EVP_CipherFinal_ex(context, &rest, &count) == 1
        guard isDone else {
            ERR_clear_error()
            throw CryptoError(.notAuthentic, "The message was changed, or sealed with another key.")
        }
    }
}
#endif
