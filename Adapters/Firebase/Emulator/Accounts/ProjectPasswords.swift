internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives

/// Hashes the project's passwords as Firebase does, and verifies imported ones of any algorithm.
///
/// Hashing and verifying block the thread for as long as the algorithm's costs say.
struct ProjectPasswords: Sendable {
    /// The project's parameters; the signer key is needed again after a restart.
    let scrypt: FirebaseScrypt
    private let hasher: PasswordHasher
    private let work: PasswordWork

    init(_ settings: ScryptSettings, randomness: any Randomness, work: PasswordWork) throws(SettingsError) {
        guard let separator = Base64.decode(settings.saltSeparator) else {
            throw SettingsError("The salt separator must be bytes in base 64.")
        }
        let key = settings.signerKey.map { Base64.decode($0) } ?? randomness.bytes(64)
        guard let key, key.count == 64 else { throw SettingsError("The signer key must be 64 bytes in base 64.") }
        let scrypt = FirebaseScrypt(
            signerKey: key, saltSeparator: separator, rounds: settings.rounds, memoryCost: settings.memoryCost)
        guard let scrypt else { throw SettingsError("Hashing takes 1 to 8 rounds and a memory cost of 1 to 14.") }
        self.scrypt = scrypt
        hasher = .firebase(scrypt, randomness: randomness)
        self.work = work
    }

    /// The stored form of a new password.
    func hash(_ password: Secret) throws -> StoredPassword {
        work.add()
        let record = try hasher.hash(password).firebaseRecord
        guard let record else { throw APIError.inside("The hash has no form of Firebase's.") }
        return StoredPassword(hash: record.passwordHash, salt: record.salt)
    }

    /// Whether a password matches a hash; `false` for an unreadable one.
    func verify(_ password: Secret, _ stored: StoredPassword) -> Bool {
        work.add()
        let hash =
            if let scheme = stored.scheme { try? PasswordHash(scheme) } else {
                try? FirebaseHashing(scrypt).hash(passwordHash: stored.hash, salt: stored.salt)
            }
        return (try? hash?.verify(password)) ?? false
    }

}

extension ProjectPasswords {
    /// How the passwords of an import were hashed, by its parameters.
    enum ImportHashing {
        case known(FirebaseHashing)
        /// Firebase's emulator accepts hashes without parameters; they cannot sign in.
        case unknown
    }

    /// - Throws: in strict mode a refusal, where the parameters are missing or wrong and a hash needs them.
    func importHashing(_ body: Body, isNeeded: Bool, isStrict: Bool) throws(APIError) -> ImportHashing {
        do throws(PasswordError) {
            return .known(try FirebaseHashing(body.members))
        } catch {
            guard isStrict, isNeeded else { return .unknown }
            if body.given("hashAlgorithm") == nil { throw .refused(.missingHashAlgorithm) }
            throw .refused(.invalidHashAlgorithm, error.message)
        }
    }

    /// The stored form of an imported hash.
    func imported(_ hash: String, salt: String?, _ hashing: ImportHashing) -> StoredPassword {
        guard case .known(let hashing) = hashing, let read = try? hashing.hash(passwordHash: hash, salt: salt) else {
            return StoredPassword(hash: hash, salt: salt, scheme: "unreadable")
        }
        let isOwn = (try? FirebaseHashing(scrypt).hash(passwordHash: hash, salt: salt)) == read
        return StoredPassword(hash: hash, salt: salt, scheme: isOwn ? nil : read.text)
    }
}
