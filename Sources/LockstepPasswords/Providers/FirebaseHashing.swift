internal import LockstepCrypto
public import LockstepPrimitives

/// The hash parameters of a Firebase import (`accounts:batchCreate`), which all users of one request share.
///
/// ```swift
/// let hashing = try FirebaseHashing(["hashAlgorithm": "BCRYPT"])
/// let hash = try hashing.hash(passwordHash: passwordHash, salt: nil)
/// print(hash)                                  // only the algorithm
/// ```
public struct FirebaseHashing: Sendable {
    private let algorithm: Algorithm

    private enum Algorithm: Sendable {
        case bcrypt
        case firebaseScrypt(FirebaseScrypt)
        case scrypt(cost: Int, blockSize: Int, parallelism: Int, length: Int)
        case pbkdf2(HashFunction, rounds: Int)
        case digest(HashFunction, rounds: Int, SaltOrder)
        case hmac(HashFunction, key: [UInt8], SaltOrder)
        case argon2(Argon2, context: [UInt8])
    }

    /// Creates the parameters for the passwords of a Firebase project.
    ///
    /// - Parameter project: The parameters of the project.
    public init(_ project: FirebaseScrypt) {
        algorithm = .firebaseScrypt(project)
    }

    /// Reads the hash parameters from the body of an import request.
    ///
    /// The parameters are `hashAlgorithm`, `signerKey`, `saltSeparator`, `rounds`, `memoryCost`, `cpuMemCost`,
    /// `parallelization`, `blockSize`, `dkLen`, `passwordHashOrder` and `argon2Parameters`. Their ranges are the same
    /// as in firebase-tools and the Admin SDK. If the body contains no `passwordHashOrder`, the salt comes first in a
    /// digest, and the password comes first in an HMAC. (This order comes from the integration test auth.spec.ts of
    /// firebase-admin-node. The test signs imported users in on Google's servers.)
    ///
    /// - Parameter body: The body of the request.
    /// - Throws: ``PasswordError`` with `unsupported` for an unknown algorithm, or `malformed` if a parameter is
    ///   missing or out of range.
    public init(_ body: JSONObject) throws(PasswordError) {
        let name = body["hashAlgorithm"]?.string ?? ""
        let fields = FirebaseFields(body)
        switch name {
        case "BCRYPT": algorithm = .bcrypt
        case "SCRYPT":
            let project = FirebaseScrypt(
                signerKey: try fields.bytes("signerKey"), saltSeparator: try fields.optionalBytes("saltSeparator"),
                rounds: try fields.number("rounds", 1...8), memoryCost: try fields.number("memoryCost", 1...14))
            guard let project else { throw .malformed("SCRYPT") }
            algorithm = .firebaseScrypt(project)
        case "STANDARD_SCRYPT":
            algorithm = .scrypt(
                cost: try fields.cost("cpuMemCost", 2...1 << 30), blockSize: try fields.number("blockSize", 1...1 << 20),
                parallelism: try fields.number("parallelization", 1...1 << 20), length: try fields.number("dkLen", 1...1024))
        case "PBKDF_SHA1": algorithm = .pbkdf2(.sha1, rounds: max(1, try fields.number("rounds", 0...120_000)))
        case "PBKDF2_SHA256": algorithm = .pbkdf2(.sha256, rounds: max(1, try fields.number("rounds", 0...120_000)))
        case "MD5": algorithm = .digest(.md5, rounds: max(1, try fields.number("rounds", 0...8192)), fields.order(.saltFirst))
        case "SHA1": algorithm = .digest(.sha1, rounds: try fields.number("rounds", 1...8192), fields.order(.saltFirst))
        case "SHA256": algorithm = .digest(.sha256, rounds: try fields.number("rounds", 1...8192), fields.order(.saltFirst))
        case "SHA512": algorithm = .digest(.sha512, rounds: try fields.number("rounds", 1...8192), fields.order(.saltFirst))
        case "HMAC_MD5": algorithm = .hmac(.md5, key: try fields.bytes("signerKey"), fields.order(.passwordFirst))
        case "HMAC_SHA1": algorithm = .hmac(.sha1, key: try fields.bytes("signerKey"), fields.order(.passwordFirst))
        case "HMAC_SHA256": algorithm = .hmac(.sha256, key: try fields.bytes("signerKey"), fields.order(.passwordFirst))
        case "HMAC_SHA512": algorithm = .hmac(.sha512, key: try fields.bytes("signerKey"), fields.order(.passwordFirst))
        case "ARGON2":
            let fields = FirebaseFields(body["argon2Parameters"]?.object ?? [:])
            algorithm = .argon2(try fields.argon2(), context: try fields.optionalBytes("associatedData"))
        default: throw PasswordError(.unsupported, "The hash algorithm is not supported.")
        }
    }

    /// Returns the hash of one user.
    ///
    /// - Parameters:
    ///   - passwordHash: The user's `passwordHash`, in standard or URL-safe base64.
    ///   - salt: The user's `salt`, in standard or URL-safe base64.
    /// - Returns: The hash.
    /// - Throws: ``PasswordError`` with `malformed` if the values cannot come from this algorithm.
    public func hash(passwordHash: String, salt: String?) throws(PasswordError) -> PasswordHash {
        guard let hash = HashText.read(passwordHash), let salt = HashText.read(salt ?? ""), !hash.isEmpty else {
            throw .malformed("imported")
        }
        switch algorithm {
        case .bcrypt:
            guard let text = String(validating: hash, as: UTF8.self), text.hasPrefix("$2") else { throw .malformed("BCRYPT") }
            return PasswordHash(try CryptHash(text))
        case .firebaseScrypt(let project): return PasswordHash(FirebaseScryptHash(project, salt: salt, hash: hash))
        case .scrypt(let cost, let blockSize, let parallelism, let length):
            guard hash.count == length else { throw .malformed("STANDARD_SCRYPT") }
            return PasswordHash(
                try ScryptHash(cost: cost, blockSize: blockSize, parallelism: parallelism, salt: salt, hash: hash))
        case .pbkdf2(let function, let rounds):
            return PasswordHash(try PBKDF2Hash(function, iterations: rounds, salt: salt, hash: hash))
        case .digest(let function, let rounds, let order):
            // An MD5 digest is in hexadecimal (same source), but bytes are accepted, too.
            let hash = function == .md5 && hash.count == 32 ? Hex.decode(String(decoding: hash, as: UTF8.self)) ?? hash : hash
            return PasswordHash(try DigestHash(function, rounds: rounds, order: order, salt: salt, hash: hash))
        case .hmac(let function, let key, let order):
            return PasswordHash(try KeyedDigestHash(function, key: key, order: order, salt: salt, hash: hash))
        case .argon2(let argon2, let context):
            guard hash.count == argon2.length, salt.count >= 8 else { throw .malformed("ARGON2") }
            return PasswordHash(Argon2Hash(argon2, salt: salt, context: context, hash: hash))
        }
    }
}
