#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

extension HashFunction {
    /// Whether libcrypto on this machine supports the function.
    ///
    /// In FIPS mode, libcrypto does not support MD5.
    public var isAvailable: Bool {
        var digest = [UInt8](repeating: 0, count: byteCount)
        return compute([], into: &digest)
    }

    /// Returns the digest of some bytes.
    ///
    /// The function must be available (``isAvailable``). SHA functions always are.
    public func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard compute(bytes, into: &digest) else {
            preconditionFailure("libcrypto does not allow \(rawValue): check isAvailable first")
        }
        return digest
    }

    /// Returns the message authentication code of a message (HMAC, RFC 2104).
    ///
    /// The function must be available (``isAvailable``). SHA functions always are.
    public func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        // Safe: the pointers and lengths belong to arrays that live through the call. `code` has the `byteCount` bytes that
        // HMAC writes for this function. A key longer than Int32.max ends the process; it is never truncated.
        let result = unsafe HMAC(algorithm, key, Int32(key.count), message, message.count, &code, nil)
        guard unsafe result != nil else {
            preconditionFailure("libcrypto does not allow HMAC with \(rawValue): check isAvailable first")
        }
        return code
    }

    private func compute(_ bytes: [UInt8], into digest: inout [UInt8]) -> Bool {
        // Safe: both arrays live through the call. The first is read up to its count. The second has `byteCount` bytes, as many
        // as EVP_Digest writes. The library keeps neither pointer.
        unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil) == 1
    }

    /// The function in libcrypto.
    var algorithm: OpaquePointer? {
        // Safe: these return pointers to constants of the library, which live as long as the process.
        switch self {
        case .md5: unsafe EVP_md5()
        case .sha1: unsafe EVP_sha1()
        case .sha224: unsafe EVP_sha224()
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }
}
#elseif canImport(CryptoKit)
internal import CryptoKit

// On Apple systems, the core needs only functions of the system, so an app links no libcrypto.
extension HashFunction {
    /// Whether this system supports the function.
    ///
    /// CryptoKit has no SHA-224.
    public var isAvailable: Bool { self != .sha224 }

    /// Returns the digest of some bytes.
    ///
    /// The function must be available (``isAvailable``).
    public func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha224: preconditionFailure("CryptoKit has no SHA-224: check isAvailable first")
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    /// Returns the message authentication code of a message (HMAC, RFC 2104).
    ///
    /// The function must be available (``isAvailable``).
    public func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch self {
        case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: message, using: key))
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        case .sha224: preconditionFailure("CryptoKit has no SHA-224: check isAvailable first")
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
    }
}
#endif
