internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives

/// Hashes and compares passwords, between the runs of a request.
struct Passwords {
    let context: RequestContext

    /// Stands for the hash of an unknown password: the real server creates a random one and hashes it.
    static let unknown = "*"

    /// A new hash of a password.
    func hash(_ password: String) throws -> String {
        try context.result(of: hashing(Secret(password))).get()
    }

    /// Whether a password is the one of a hash.
    func matches(_ password: String, for hash: String) throws -> Bool {
        guard hash != Self.unknown else {
            try spend()
            return false
        }
        return try context.result(of: PasswordCheck(password: Secret(password), hash: hash))
    }

    /// Takes as long as a comparison, so that the time of a refusal does not show that there is no hash.
    func spend() throws { _ = try context.result(of: hashing("no password of a user")) }

    /// The sentence and the reasons for a weak password; `nil` for a strong one.
    func weakness(of password: String) -> (message: String, reasons: [String])? {
        let settings = context.settings.passwords
        var messages: [String] = []
        var reasons: [String] = []
        if password.utf8.count < settings.minimumLength {
            messages.append("Password should be at least \(settings.minimumLength) characters.")
            reasons.append("length")
        }
        let lacks = settings.requiredCharacters.contains { set in !password.contains { set.contains($0) } }
        if lacks {
            let sets = settings.requiredCharacters.joined(separator: ", ")
            messages.append("Password should contain at least one character of each: \(sets).")
            reasons.append("characters")
        }
        return reasons.isEmpty ? nil : (messages.joined(separator: " "), reasons)
    }

    /// Refuses a new password that is too long or too weak.
    func check(_ password: String) throws(GoTrueError) {
        guard password.utf8.count <= 72 else { throw .invalid("Password cannot be longer than 72 characters") }
        if let weakness = weakness(of: password) {
            throw .weakPassword(weakness.message, weakness.reasons)
        }
    }

    private func hashing(_ password: Secret) -> PasswordHashing {
        PasswordHashing(password: password, cost: context.settings.passwords.cost)
    }
}

/// Hashes a password; fails where bcrypt takes no such password, as the real server then runs into a panic.
struct PasswordHashing: DeferredWork {
    let password: Secret
    let cost: PasswordCost

    func run(in environment: EmulationEnvironment) async throws -> Result<String, GoTrueError> {
        try await environment.workers.run { hash(in: environment) }
    }

    /// The hash, on the calling thread.
    func hash(in environment: EmulationEnvironment) -> Result<String, GoTrueError> {
        environment.passwordWork.add()
        let hasher = PasswordHasher.bcrypt(cost, randomness: environment.randomness)
        guard let hash = try? hasher.hash(password), let text = hash.goTrueText else { return .failure(.panic) }
        return .success(text)
    }
}

/// Compares a password with a hash; one that cannot be read matches nothing.
struct PasswordCheck: DeferredWork {
    let password: Secret
    let hash: String

    func run(in environment: EmulationEnvironment) async throws -> Bool {
        try await environment.workers.run {
            environment.passwordWork.add()
            guard let hash = try? PasswordHash(goTrue: hash) else { return false }
            return (try? hash.verify(password)) ?? false
        }
    }
}
