internal import CLockstepArgon2

/// The password hash Argon2 (RFC 9106) with its costs.
///
/// A hash takes long to compute, and needs as much memory as ``memory`` says. So compute it on a thread that may block.
struct Argon2: Sendable, Hashable {
    /// The way in which the algorithm reads the memory.
    var variant: Variant
    /// The version of the algorithm.
    var version: Version
    /// The memory in KiB, at least 8 for each lane.
    var memory: Int
    /// The number of passes over the memory.
    var passes: Int
    /// The number of parts of the memory.
    ///
    /// They are processed one after the other here, with the same result.
    var lanes: Int
    /// The length of the hash in bytes, at least 4.
    var length: Int

    /// Creates a hash algorithm with its costs.
    init(_ variant: Variant, version: Version = .v13, memory: Int, passes: Int, lanes: Int, length: Int) {
        self.variant = variant
        self.version = version
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
        self.length = length
    }

    /// The way in which the algorithm reads the memory.
    enum Variant: String, Sendable, Hashable, CaseIterable {
        /// The order depends on the password. It is fast, but the CPU cache reveals it.
        case d = "argon2d"
        /// The order does not depend on the password.
        case i = "argon2i"
        /// The order of `argon2i` first, then that of `argon2d`.
        case id = "argon2id"
    }

    /// The version of the algorithm.
    enum Version: Int, Sendable, Hashable, CaseIterable {
        /// Version 1.0, of 2015.
        case v10 = 0x10
        /// Version 1.3, the version of RFC 9106.
        case v13 = 0x13
    }

    /// Hashes `password`.
    ///
    /// - `password`: Any bytes.
    /// - `salt`: At least 8 bytes.
    /// - `secret`: A key that is also required to check the hash; empty if there is none.
    /// - `context`: Associated data, if any.
    ///
    /// Throws ``HashError`` with `invalidParameter` if a cost is out of range, `unavailable` if the memory is not sufficient.
    func hash(
        _ password: [UInt8], salt: [UInt8], secret: [UInt8] = [], context: [UInt8] = []
    ) throws(HashError) -> [UInt8] {
        let numbers = [memory, passes, lanes, length, password.count, salt.count, secret.count, context.count]
        guard numbers.allSatisfy({ (0...Int(UInt32.max)).contains($0) }), length <= 1 << 20 else {
            throw HashError(
                .invalidParameter, "Argon2 accepts costs and lengths from 0 to 2^32 - 1, and returns at most one mebibyte.")
        }
        var (password, salt, secret, context) = (password, salt, secret, context)
        var output = [UInt8](repeating: 0, count: length)
        let result = run(&output, &password, &salt, &secret, &context)
        guard result == ARGON2_OK.rawValue else {
            // Safe: the function returns a C string that is a constant of the library.
            let reason = unsafe String(cString: argon2_error_message(result))
            let isShort = result == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue
            throw HashError(isShort ? .unavailable : .invalidParameter, "libargon2 failed: \(reason).")
        }
        return output
    }

    private func run(
        _ output: inout [UInt8], _ password: inout [UInt8], _ salt: inout [UInt8], _ secret: inout [UInt8],
        _ context: inout [UInt8]
    ) -> Int32 {
        // Safe: the five buffers exist during the closures, which the call does not outlive. Each length is that of its buffer and
        // fits 32 bits (checked by the caller). Without the flags that wipe them, the library only reads all buffers but the output.
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe password.withUnsafeMutableBufferPointer { password in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    unsafe secret.withUnsafeMutableBufferPointer { secret in
                        unsafe context.withUnsafeMutableBufferPointer { context in
                            var input = unsafe argon2_context(
                                out: output.baseAddress, outlen: UInt32(output.count), pwd: password.baseAddress,
                                pwdlen: UInt32(password.count), salt: salt.baseAddress, saltlen: UInt32(salt.count),
                                secret: secret.baseAddress, secretlen: UInt32(secret.count), ad: context.baseAddress,
                                adlen: UInt32(context.count), t_cost: UInt32(passes), m_cost: UInt32(memory),
                                lanes: UInt32(lanes),
                                threads: 1, version: UInt32(version.rawValue), allocate_cbk: nil, free_cbk: nil, flags: 0)
                            return unsafe argon2_ctx(&input, variant.type)
                        }
                    }
                }
            }
        }
    }
}

extension Argon2.Variant {
    fileprivate var type: argon2_type {
        switch self {
        case .d: Argon2_d
        case .i: Argon2_i
        case .id: Argon2_id
        }
    }
}
