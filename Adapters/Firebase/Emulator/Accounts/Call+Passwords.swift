internal import LockstepPrimitives

extension Call {
    /// Refuses a new password that is too short, or that the project's policy refuses.
    func requireStrength(_ password: String) throws(APIError) {
        guard rules.passwordPolicy.isEnforced else {
            return try require(password.utf16.count >= 6, .weakPassword, "Password should be at least 6 characters")
        }
        let shortfalls = rules.passwordPolicy.shortfalls(of: password)
        try require(
            shortfalls.isEmpty, .policyNotMet,
            "Missing password requirements: [\(shortfalls.map(\.sentence).joined(separator: ", "))]")
    }

    /// The hash of a new password; slow, so never inside a transaction.
    func hashed(_ password: String) throws -> StoredPassword { try backend.passwords.hash(password) }
}

extension User {
    /// Sets a new password and revokes earlier ID tokens.
    mutating func setPassword(_ password: StoredPassword, at now: Instant) {
        self.password = password
        passwordUpdatedAt = now
        validSince = now.seconds
    }
}
