internal import CLockstepCrypt

/// The password hashes of crypt(3): bcrypt, SHA-crypt, yescrypt, and others that the machine's libcrypt contains.
///
/// A hash takes long to compute. So compute it on a thread that may block.
enum Crypt {
    /// Hashes `password` with a setting.
    ///
    /// The setting comes from ``setting(_:cost:random:)``, or is a whole hash.
    ///
    /// A password is correct for a hash if the result is the hash itself. bcrypt uses only the first 72 bytes.
    ///
    /// - Throws: ``HashError`` with `invalidParameter` if libcrypt does not know the setting or finds it invalid,
    ///   `invalidPassword` if the password contains a NUL, or has more than 511 bytes.
    static func hash(_ password: [UInt8], setting: String) throws(HashError) -> String {
        guard !password.contains(0), password.count < 512 else {
            throw HashError(.invalidPassword, "crypt(3) accepts passwords of up to 511 bytes without NUL.")
        }
        guard !setting.utf8.contains(0) else { throw HashError(.invalidParameter, "A crypt(3) setting must not contain NUL.") }
        let size = MemoryLayout<crypt_data>.size
        // Safe: the scratch space has the size that crypt_rn requires, and starts zeroed. It is zeroed again and freed after the
        // result has been copied. The password ends with the NUL appended here, the setting with the NUL that Swift appends. The
        // result is nil or a C string inside the scratch space.
        let scratch = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        defer {
            unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            unsafe scratch.deallocate()
        }
        let phrase = password.map { CChar(bitPattern: $0) } + [0]
        guard let result = unsafe crypt_rn(phrase, setting, scratch, Int32(size)) else {
            throw HashError(.invalidParameter, "libcrypt does not know the setting, or the setting is damaged.")
        }
        return unsafe String(cString: result)
    }

    /// Creates a setting for a new hash.
    ///
    /// - `scheme`: The hash algorithm.
    /// - `cost`: The cost in the scheme's unit: the rounds of SHA-crypt, or the logarithm of the rounds of bcrypt.
    /// - `random`: 16 random bytes.
    ///
    /// Throws ``HashError`` with `invalidParameter` if this machine's libcrypt does not know the scheme or this cost.
    static func setting(_ scheme: CryptScheme, cost: Int, random: [UInt8]) throws(HashError) -> String {
        guard cost > 0, random.count >= 16 else {
            throw HashError(.invalidParameter, "A crypt(3) setting needs a positive cost and 16 random bytes.")
        }
        let bytes = random.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        // Safe: all three arrays exist during the call, and the counts are their own. The result is nil or a C string in `output`.
        guard unsafe crypt_gensalt_rn(scheme.rawValue, UInt(cost), bytes, Int32(bytes.count), &output, Int32(output.count)) != nil
        else {
            throw HashError(
                .invalidParameter, "libcrypt does not support the scheme \(scheme.rawValue) with the cost \(cost).")
        }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
