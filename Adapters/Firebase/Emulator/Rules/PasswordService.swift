internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives

/// Checks, hashes and compares passwords; the slow part is deferred work.
struct PasswordService {
    let context: RequestContext

    /// Rejects a new password that is too short, or that the project's policy rejects.
    func requireStrength(_ password: String) throws(APIError) {
        let policy = context.rules.passwordPolicy
        guard policy.isEnforced else {
            return try context.require(
                password.utf16.count >= 6, .weakPassword, "Password should be at least 6 characters")
        }
        let shortfalls = policy.shortfalls(of: password)
        try context.require(
            shortfalls.isEmpty, .policyNotMet,
            "Missing password requirements: [\(shortfalls.map(\.sentence).joined(separator: ", "))]")
    }

    private var service: LockstepEmulation.PasswordService<ServerState> { .init(context, context.state.passwords.hasher) }

    /// Returns the hash of a new password.
    func hash(_ password: String) throws -> StoredPassword { try hashes(of: [password])[0] }

    /// Returns the hashes of new passwords, in their order.
    func hashes(of passwords: [String]) throws -> [StoredPassword] {
        try service.hashes(of: passwords).get().map(StoredPassword.init)
    }

    /// Returns whether a password matches a hash; `false` for an unreadable hash.
    func matches(_ password: String, _ stored: StoredPassword) throws -> Bool {
        try stored.isOpen(with: password) ?? service.matches(password, context.state.passwords.hashes(of: stored))
    }

    /// Lasts as long as ``matches(_:_:)``, so that the time of an error does not reveal whether there is a hash.
    func spend(_ password: String) throws { _ = try hash(password) }
}

extension User {
    /// Sets a new password and revokes earlier ID tokens.
    mutating func setPassword(_ password: StoredPassword, at now: Instant) {
        self.password = password
        passwordUpdatedAt = now
        validSince = now.seconds
    }
}

/// The hash parameters of the project, which hash new passwords and check its own and imported hashes.
struct ProjectPasswords: Sendable {
    /// The project's parameters; the same signer key is needed after a restart.
    let scrypt: FirebaseScrypt
    /// The parameters that the stored hashes may have, because an earlier server on the same folder may have used a
    /// different cost.
    private let known: [FirebaseScrypt]
    let hasher: PasswordHasher
    private let environment: EmulationEnvironment

    init(_ settings: ScryptSettings, in environment: EmulationEnvironment) throws(SettingsError) {
        guard let separator = Base64.decode(settings.saltSeparator) else {
            throw SettingsError("The salt separator must be bytes in base 64.")
        }
        let key = settings.signerKey.map { Base64.decode($0) } ?? environment.randomness.bytes(64)
        guard let key, key.count == 64 else { throw SettingsError("The signer key must be 64 bytes in base 64.") }
        let scrypt = FirebaseScrypt(
            signerKey: key, saltSeparator: separator, rounds: settings.rounds, memoryCost: settings.memoryCost)
        guard let scrypt else { throw SettingsError("Hashing takes 1 to 8 rounds and a memory cost of 1 to 14.") }
        self.scrypt = scrypt
        let costs = environment.storage != .memory ? PasswordCost.allCases.map(ScryptSettings.memoryCost) : []
        known =
            [scrypt]
            + costs.filter { $0 != scrypt.memoryCost }.compactMap { cost in
                FirebaseScrypt(signerKey: key, saltSeparator: separator, rounds: settings.rounds, memoryCost: cost)
            }
        hasher = .firebase(scrypt, randomness: environment.randomness)
        self.environment = environment
    }

    /// Returns the stored form of a new password, for an administrator in this process.
    func hash(_ password: Secret) throws -> StoredPassword {
        try StoredPassword(environment.hash(password, by: hasher))
    }

    /// Returns a stored hash in each form in which it can be read; none for an unreadable hash.
    func hashes(of stored: StoredPassword) -> [PasswordHash] {
        if let scheme = stored.scheme { return [try? PasswordHash(scheme)].compactMap(\.self) }
        return known.compactMap { try? FirebaseHashing($0).hash(passwordHash: stored.hash, salt: stored.salt) }
    }
}

extension ProjectPasswords {
    /// The scheme of an import's password hashes, by its parameters.
    enum ImportHashing {
        case known(FirebaseHashing)
        /// Firebase's emulator accepts hashes without parameters, but their users cannot sign in.
        case unknown
    }

    /// Reads the scheme of an import's hashes.
    ///
    /// - Throws: In strict mode, an error if the parameters are missing or wrong and a hash needs them.
    func importHashing(_ body: Body, isNeeded: Bool, isStrict: Bool) throws(APIError) -> ImportHashing {
        let hashing: FirebaseHashing
        do throws(PasswordError) {
            hashing = try FirebaseHashing(body.members)
        } catch {
            // Firebase's emulator imports the users that it has listed, without an algorithm.
            if !isStrict, body.given("hashAlgorithm") == nil { return .known(FirebaseHashing(scrypt)) }
            guard isStrict, isNeeded else { return .unknown }
            if body.given("hashAlgorithm") == nil { throw .refused(.missingHashAlgorithm) }
            throw .refused(.invalidHash(error.parameter), error.message)
        }
        // The SDKs accept 0 rounds, and production does not (https://github.com/firebase/firebase-admin-node/issues/1222).
        if isStrict, isNeeded, body.given("hashAlgorithm")?.hasPrefix("PBKDF") == true, body["rounds"] == 0 {
            throw .refused(.invalidHashRounds)
        }
        return .known(hashing)
    }

    /// Returns the stored form of an imported hash.
    func imported(_ hash: String, salt: String?, _ hashing: ImportHashing) -> StoredPassword {
        guard case .known(let hashing) = hashing, let read = try? hashing.hash(passwordHash: hash, salt: salt) else {
            return StoredPassword(hash: hash, salt: salt, scheme: "unreadable")
        }
        let isOwn = (try? FirebaseHashing(scrypt).hash(passwordHash: hash, salt: salt)) == read
        return StoredPassword(hash: hash, salt: salt, scheme: isOwn ? nil : read.text)
    }
}

/// A password's hash, as it is stored and shown.
struct StoredPassword: Sendable, Hashable {
    /// `passwordHash` in the API: bytes in base 64, or the literal form of Firebase's emulator.
    var hash: String
    /// `salt` in the API.
    var salt: String?
    /// The scheme of the hash; `nil` for the project's own scheme.
    var scheme: String?

    /// Whether the literal form of Firebase's emulator, which hashes nothing, contains `password`; `nil` for a hash.
    func isOpen(with password: String) -> Bool? {
        let prefix = "fakeHash:"
        guard hash.hasPrefix(prefix) else { return nil }
        return Secret(hash) == Secret("\(prefix)salt=\(salt ?? ""):password=\(password)")
    }
}

extension StoredPassword {
    /// Creates the stored form of a new password's hash.
    init(_ hash: PasswordHash) throws(APIError) {
        guard let record = hash.firebaseRecord else { throw .inside("The hash has no form of Firebase's.") }
        self.init(hash: record.passwordHash, salt: record.salt)
    }
}
