#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

/// One signing or verifying.
///
/// One function call owns the context, and frees it at the end.
@safe final class SigningContext {
    private let context: OpaquePointer

    init() throws(CryptoError) {
        // Safe: a new context without any other owner; deinit frees it once.
        guard let context = unsafe EVP_MD_CTX_new() else {
            throw .reported(.unavailable, "libcrypto has no memory for a signature")
        }
        unsafe self.context = context
    }

    deinit {
        // Safe: the pointer came from EVP_MD_CTX_new, and no method can use it after deinit.
        unsafe EVP_MD_CTX_free(context)
    }

    func sign(_ message: [UInt8], key: OpaquePointer, algorithm: OpaquePointer?) throws(CryptoError) -> [UInt8] {
        var count = 0
        // Safe: key and algorithm live longer than this call, because the owner of the key keeps them. The message is read up
        // to its count. Without an output, the library only returns the maximum size of a signature.
        let isReady =
            unsafe EVP_DigestSignInit(context, nil, algorithm, nil, key) == 1
            && EVP_DigestSign(context, nil, &count, message, message.count) == 1
        guard isReady else { throw .reported(.invalidKey, "The key cannot sign") }
        var signature = [UInt8](repeating: 0, count: count)
        // Safe: `signature` has the `count` bytes that the library asked for, and the library gets `count`.
        guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            throw .reported(.unavailable, "libcrypto could not sign")
        }
        return Array(signature.prefix(count))
    }

    func isValid(_ signature: [UInt8], for message: [UInt8], key: OpaquePointer, algorithm: OpaquePointer?) -> Bool {
        // A wrong signature leaves entries in the thread's error queue, which must not appear in the error of another call.
        defer { ERR_clear_error() }
        // Safe: key and algorithm live longer than this call, and both arrays are read up to their counts.
        return unsafe EVP_DigestVerifyInit(context, nil, algorithm, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
#endif
