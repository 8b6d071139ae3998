#if canImport(CLockstepCrypto)
internal import CLockstepCrypto

/// Functions that derive keys from passwords.
///
/// A call may take a long time, so do not call it on the cooperative thread pool.
public enum KeyDerivation {
    /// Derives a key with PBKDF2 (RFC 8018) and HMAC.
    ///
    /// - Parameters:
    ///   - iterations: The number of iterations.
    ///   - length: The length of the key in bytes.
    /// - Throws: ``CryptoError`` with `invalidParameter` if `iterations` or `length` is not between 1 and 2^31 - 1.
    public static func pbkdf2(
        _ hash: HashFunction, password: [UInt8], salt: [UInt8], iterations: Int, length: Int
    ) throws(CryptoError) -> [UInt8] {
        let limit = Int(Int32.max)
        guard (1...limit).contains(iterations), (1...limit).contains(length), password.count < limit, salt.count < limit else {
            throw CryptoError(.invalidParameter, "PBKDF2 accepts 1 to 2^31 - 1 iterations and bytes.")
        }
        var key = [UInt8](repeating: 0, count: length)
        // Safe: the library reads the password and the salt up to the given counts. It writes `length` bytes to an array of
        // that size. All three arrays live through the call, and every count fits Int32 (checked above). UInt8 and CChar have
        // the same layout.
        let isDone = unsafe password.withUnsafeBytes { password in
            unsafe PKCS5_PBKDF2_HMAC(
                password.assumingMemoryBound(to: CChar.self).baseAddress, Int32(password.count), salt, Int32(salt.count),
                Int32(iterations), hash.algorithm, Int32(length), &key)
        }
        guard isDone == 1 else { throw .reported(.unavailable, "libcrypto could not compute PBKDF2 with \(hash.rawValue)") }
        return key
    }

    /// Derives a key with scrypt (RFC 7914).
    ///
    /// - Parameters:
    ///   - cost: The number N in the RFC, which must be a power of two above 1.
    ///   - blockSize: The number r in the RFC.
    ///   - parallelism: The number p in the RFC.
    ///   - length: The length of the key in bytes.
    ///   - memoryLimit: The maximum memory in bytes. scrypt needs about 128 · N · r.
    /// - Throws: ``CryptoError`` with `invalidParameter` if a number is out of range, or if scrypt needs more memory than
    ///   allowed.
    public static func scrypt(
        password: [UInt8], salt: [UInt8], cost: Int, blockSize: Int, parallelism: Int, length: Int, memoryLimit: Int = 1 << 28
    ) throws(CryptoError) -> [UInt8] {
        guard cost > 1, cost.nonzeroBitCount == 1, blockSize > 0, parallelism > 0, (1...1 << 20).contains(length), memoryLimit > 0
        else {
            throw CryptoError(
                .invalidParameter, "The cost of scrypt must be a power of two above 1, and its other parameters must be positive."
            )
        }
        var key = [UInt8](repeating: 0, count: length)
        // Safe: the library reads the password and the salt up to the given counts. It writes `length` bytes to an array of
        // that size. All three arrays live through the call. UInt8 and CChar have the same layout. The library itself checks
        // the three numbers against the limit.
        let isDone = unsafe password.withUnsafeBytes { password in
            unsafe EVP_PBE_scrypt(
                password.assumingMemoryBound(to: CChar.self).baseAddress, password.count, salt, salt.count, UInt64(cost),
                UInt64(blockSize), UInt64(parallelism), UInt64(memoryLimit), &key, length)
        }
        guard isDone == 1 else { throw .reported(.invalidParameter, "libcrypto could not compute scrypt with these parameters") }
        return key
    }
}
#endif
