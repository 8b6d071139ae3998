internal import LockstepHashes
@_exported public import LockstepPrimitives

/// Makes the hashes of new passwords, as one provider makes them.
///
/// Making one takes about 50 ms at its real cost and blocks the thread, as checking does.
public struct PasswordHasher: Sendable {
    private let method: Method
    private let randomness: any Randomness

    private enum Method: Sendable {
        case bcrypt(cost: Int)
        case firebaseScrypt(FirebaseScrypt)
    }

    /// bcrypt as GoTrue and Clerk use it: `$2a$`, cost 10; cost 4 where the least will do.
    public static func bcrypt(_ cost: PasswordCost = .real, randomness: any Randomness) -> PasswordHasher {
        PasswordHasher(method: .bcrypt(cost: cost == .real ? 10 : 4), randomness: randomness)
    }

    /// Firebase's scrypt with the parameters of a project; the project's own costs count.
    public static func firebase(_ project: FirebaseScrypt, randomness: any Randomness) -> PasswordHasher {
        PasswordHasher(method: .firebaseScrypt(project), randomness: randomness)
    }

    /// Hashes a password under a fresh salt; blocks the thread.
    ///
    /// - Throws: ``PasswordError`` with `passwordTooLong` if bcrypt would cut it after 72 bytes.
    public func hash(_ password: Secret) throws(PasswordError) -> PasswordHash {
        let bytes = Array(password.reveal().utf8)
        switch method {
        case .bcrypt(let cost):
            guard bytes.count <= 72 else { throw PasswordError(.passwordTooLong, "bcrypt takes passwords of up to 72 bytes.") }
            return PasswordHash(try Self.bcrypt(bytes, cost: cost, random: randomness.bytes(16)))
        case .firebaseScrypt(let project):
            let salt = randomness.bytes(10)
            return PasswordHash(FirebaseScryptHash(project, salt: salt, hash: try project.hash(bytes, salt: salt)))
        }
    }

    /// Hashes a password on `executor`, whose threads must be ones that may block.
    ///
    /// - Throws: ``PasswordError`` as ``hash(_:)`` does.
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
            // crypt(3) ends a password at its first NUL.
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

/// How much work a new hash takes.
public enum PasswordCost: String, Sendable, Hashable, CaseIterable {
    /// What the provider itself spends: about 50 ms.
    case real
    /// The least that the algorithm can do: for tests, never for passwords of people.
    case least
}

/// How much a single check of a password may cost, against hashes that were made to exhaust the checking machine.
public struct PasswordLimits: Sendable, Hashable {
    /// The bytes of memory it may use.
    public var memory: Int
    /// The time it may take, by a rough estimate for one core of a machine of 2020.
    public var time: Duration

    /// Limits of its own.
    public init(memory: Int, time: Duration) {
        self.memory = memory
        self.time = time
    }

    /// 256 MiB and 10 seconds: bcrypt up to cost 17, Argon2 with 256 MiB, twenty million rounds of PBKDF2.
    public static let standard = PasswordLimits(memory: 1 << 28, time: .seconds(10))
}
