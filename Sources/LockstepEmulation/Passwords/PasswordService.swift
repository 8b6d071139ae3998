@_exported public import LockstepPasswords
public import LockstepPrimitives

/// Hashes and compares passwords for a handler.
///
/// The work runs on the workers, outside the transaction. So each method throws ``NeedsDeferredWork`` in the first run of the
/// handler, and returns the result in a later run. The emulator chooses the hasher for new passwords, with the cost from its
/// settings, and stores the hashes.
public struct PasswordService<State: EmulatorState> {
    private let context: RequestContext<State>
    private let hasher: PasswordHasher

    /// Creates a service for one request.
    ///
    /// - Parameters:
    ///   - hasher: The hasher for new passwords.
    public init(_ context: RequestContext<State>, _ hasher: PasswordHasher) {
        self.context = context
        self.hasher = hasher
    }

    /// Returns the hash of a new password.
    ///
    /// - Returns: The hash; or a failure, if the algorithm does not accept the password.
    /// - Throws: ``NeedsDeferredWork`` if the handler must run again to get the result.
    public func hash(_ password: String) throws -> Result<PasswordHash, PasswordError> {
        try hashes(of: [password]).map { $0[0] }
    }

    /// Returns the hashes of new passwords, in order.
    ///
    /// - Returns: The hashes; or the failure of the first password that the algorithm does not accept.
    /// - Throws: ``NeedsDeferredWork`` if the handler must run again to get the result.
    public func hashes(of passwords: [String]) throws -> Result<[PasswordHash], PasswordError> {
        guard !passwords.isEmpty else { return .success([]) }
        return try context.result(of: PasswordHashing(passwords: passwords.map { Secret($0) }, hasher: hasher))
    }

    /// Returns whether a password matches a stored hash.
    ///
    /// - Parameters:
    ///   - hashes: The possible interpretations of the stored hash. If the list is empty, no password matches.
    /// - Throws: ``NeedsDeferredWork`` if the handler must run again to get the result.
    public func matches(_ password: String, _ hashes: [PasswordHash]) throws -> Bool {
        try context.result(of: PasswordCheck(password: Secret(password), hashes: hashes))
    }

    /// Does the same amount of work as a comparison, for a user without a hash.
    ///
    /// So the response time does not reveal whether there is a hash.
    ///
    /// - Throws: ``NeedsDeferredWork`` if the handler must run again after the work.
    public func spend() throws { _ = try hash("no password of a user") }
}

extension EmulationEnvironment {
    /// Hashes a password on the calling thread, for an administrator in the same process.
    ///
    /// This function blocks the thread while it works.
    ///
    /// - Throws: `PasswordError` if the algorithm does not accept the password.
    public func hash(_ password: Secret, by hasher: PasswordHasher) throws(PasswordError) -> PasswordHash {
        passwordWork.add()
        return try hasher.hash(password)
    }
}

private struct PasswordHashing: DeferredWork {
    let passwords: [Secret]
    let hasher: PasswordHasher

    func run(in environment: EmulationEnvironment) async throws -> Result<[PasswordHash], PasswordError> {
        try await environment.workers.run {
            Result { () throws(PasswordError) in
                var hashes: [PasswordHash] = []
                for password in passwords { hashes.append(try environment.hash(password, by: hasher)) }
                return hashes
            }
        }
    }

    // One request has one hasher.
    static func == (left: PasswordHashing, right: PasswordHashing) -> Bool { left.passwords == right.passwords }
    func hash(into hasher: inout Hasher) { hasher.combine(passwords) }
}

private struct PasswordCheck: DeferredWork {
    let password: Secret
    let hashes: [PasswordHash]

    func run(in environment: EmulationEnvironment) async throws -> Bool {
        try await environment.workers.run {
            environment.passwordWork.add()
            return hashes.contains { (try? $0.verify(password)) ?? false }
        }
    }

    // Writing a stored hash as text takes longer than the rest of the lookup, and two comparisons in one request rarely have
    // the same password.
    func hash(into hasher: inout Hasher) { hasher.combine(password) }
}
