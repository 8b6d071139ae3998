internal import LockstepEmulation
internal import LockstepPrimitives

/// Checks, hashes and compares passwords; the slow part is deferred work.
struct PasswordService {
    let request: AuthorizedRequest

    /// Refuses a new password that is too short, or that the project's policy refuses.
    func requireStrength(_ password: String) throws(APIError) {
        let policy = request.rules.passwordPolicy
        guard policy.isEnforced else {
            return try request.require(
                password.utf16.count >= 6, .weakPassword, "Password should be at least 6 characters")
        }
        let shortfalls = policy.shortfalls(of: password)
        try request.require(
            shortfalls.isEmpty, .policyNotMet,
            "Missing password requirements: [\(shortfalls.map(\.sentence).joined(separator: ", "))]")
    }

    /// The hash of a new password.
    func hash(_ password: String) throws -> StoredPassword { try hashes(of: [password])[0] }

    /// The hashes of new passwords, in their order.
    func hashes(of passwords: [String]) throws -> [StoredPassword] {
        guard !passwords.isEmpty else { return [] }
        return try request.context.result(
            of: PasswordHashing(passwords: passwords.map { Secret($0) }, project: request.state.passwords))
    }

    /// Whether a password matches a hash; `false` for an unreadable one.
    func matches(_ password: String, _ stored: StoredPassword) throws -> Bool {
        if let isEqual = stored.isOpen(with: password) { return isEqual }
        return try request.context.result(
            of: PasswordCheck(password: Secret(password), stored: stored, project: request.state.passwords))
    }

    /// Takes as long as ``matches(_:_:)``, so that the time of a refusal does not show that there is no hash.
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

/// Hashes new passwords on a worker.
private struct PasswordHashing: DeferredWork {
    let passwords: [Secret]
    let project: ProjectPasswords

    func run(in environment: EmulationEnvironment) async throws -> [StoredPassword] {
        try await environment.workers.run { try passwords.map { try project.hash($0) } }
    }

    static func == (left: PasswordHashing, right: PasswordHashing) -> Bool { left.passwords == right.passwords }

    func hash(into hasher: inout Hasher) { hasher.combine(passwords) }
}

/// Compares a password with a hash on a worker.
private struct PasswordCheck: DeferredWork {
    let password: Secret
    let stored: StoredPassword
    let project: ProjectPasswords

    func run(in environment: EmulationEnvironment) async throws -> Bool {
        try await environment.workers.run { project.verify(password, stored) }
    }

    static func == (left: PasswordCheck, right: PasswordCheck) -> Bool {
        left.password == right.password && left.stored == right.stored
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(password)
        hasher.combine(stored)
    }
}
