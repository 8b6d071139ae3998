@_exported public import LockstepPrimitives

/// A hasher that hashes new passwords in the same way as a provider.
///
/// A hash at the provider's real cost takes about 50 ms, and blocks the thread.
///
/// ```swift
/// let hasher = PasswordHasher.bcrypt(randomness: SystemRandomness())
/// let hash = try hasher.hash("a new password")
/// ```
public struct PasswordHasher: Sendable {
    private let method: Method
    private let randomness: any Randomness

    private enum Method: Sendable {
        case bcrypt(cost: Int)
        case firebaseScrypt(FirebaseScrypt)
    }

    /// Creates a hasher for bcrypt, as GoTrue and Clerk use it.
    ///
    /// The hashes begin with `$2a$`. Their bcrypt cost is 10, or 4 if `cost` is `least`.
    ///
    /// - Parameters:
    ///   - cost: The cost of a hash. Default: `real`.
    ///   - randomness: The source of randomness for the salts.
    /// - Returns: The hasher.
    public static func bcrypt(_ cost: PasswordCost = .real, randomness: any Randomness) -> PasswordHasher {
        PasswordHasher(method: .bcrypt(cost: cost == .real ? 10 : 4), randomness: randomness)
    }

    /// Creates a hasher for Firebase's scrypt, with the costs of a project.
    ///
    /// - Parameters:
    ///   - project: The parameters of the project.
    ///   - randomness: The source of randomness for the salts.
    /// - Returns: The hasher.
    public static func firebase(_ project: FirebaseScrypt, randomness: any Randomness) -> PasswordHasher {
        PasswordHasher(method: .firebaseScrypt(project), randomness: randomness)
    }

    /// Hashes a password with a new salt, and blocks the thread.
    ///
    /// - Parameter password: The password.
    /// - Returns: The hash.
    /// - Throws: ``PasswordError`` with `passwordTooLong` if bcrypt would ignore the end of the password after 72
    ///   bytes.
    public func hash(_ password: Secret) throws(PasswordError) -> PasswordHash {
        let bytes = Array(password.reveal().utf8)
        switch method {
        case .bcrypt(let cost):
            guard bytes.count <= 72 else { throw PasswordError(.passwordTooLong, "bcrypt accepts passwords of up to 72 bytes.") }
            return PasswordHash(try Self.bcrypt(bytes, cost: cost, random: randomness.bytes(16)))
        case .firebaseScrypt(let project):
            let salt = randomness.bytes(10)
            return PasswordHash(FirebaseScryptHash(project, salt: salt, hash: try project.hash(bytes, salt: salt)))
        }
    }

    /// Hashes a password on an executor.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - executor: An executor with threads that may block.
    /// - Returns: The hash.
    /// - Throws: ``PasswordError``, as ``hash(_:)`` does.
    @concurrent
    public func hash(_ password: Secret, on executor: any TaskExecutor) async throws(PasswordError) -> PasswordHash {
        let result = await withTaskExecutorPreference(executor) { () async -> Result<PasswordHash, PasswordError> in
            Result { () throws(PasswordError) in try hash(password) }
        }
        return try result.get()
    }

    private static func bcrypt(_ password: [UInt8], cost: Int, random: [UInt8]) throws(PasswordError) -> CryptHash {
        let text: String
        do throws(HashError) {
            let setting = try Crypt.setting(.bcryptA, cost: cost, random: random)
            // crypt(3) ends a password at its first NUL, so such a password needs this package's own bcrypt.
            if password.contains(0), let own = Bcrypt.hash(password, setting: setting) {
                text = own
            } else {
                text = try Crypt.hash(password, setting: setting)
            }
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
        return try CryptHash(text)
    }
}

/// The cost of a new password hash.
public enum PasswordCost: String, Sendable, Hashable, CaseIterable {
    /// The cost that the provider itself uses: about 50 ms.
    case real
    /// The lowest cost of the algorithm, for tests.
    ///
    /// Never use it for the passwords of people.
    case least
}

/// The maximum cost of one password check.
///
/// The limits protect a machine against hashes that an attacker has made to exhaust its memory or time.
///
/// ```swift
/// let hash = try PasswordHash("$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
/// let isCorrect = try hash.verify("a password", limits: PasswordLimits(memory: 1 << 26, time: .seconds(1)))
/// print(isCorrect)
/// ```
public struct PasswordLimits: Sendable, Hashable {
    /// The maximum memory in bytes.
    public var memory: Int
    /// The maximum time, as a rough estimate for one core of a machine from 2020.
    public var time: Duration

    /// Creates custom limits.
    ///
    /// - Parameters:
    ///   - memory: The maximum memory in bytes.
    ///   - time: The maximum time.
    public init(memory: Int, time: Duration) {
        self.memory = memory
        self.time = time
    }

    /// The default limits: 256 MiB of memory and 10 seconds.
    ///
    /// These limits allow bcrypt up to cost 17, Argon2 with 256 MiB, and PBKDF2 with twenty million rounds.
    public static let standard = PasswordLimits(memory: 1 << 28, time: .seconds(10))
}
