import LockstepPrimitives

/// Sets and removes passwords of users.
struct Passwords {
    let exchange: Exchange

    /// The digest of a new password that the policy allows.
    ///
    /// - Throws: every broken rule, in one refusal.
    func digest(_ password: String, parameter: String = "password", identifiers: [String], skipsChecks: Bool = false) throws
        -> String
    {
        if !skipsChecks {
            let refusals = exchange.settings.passwordPolicy.refusals(of: password, identifiers: identifiers, parameter: parameter)
            if let refusal = ClerkError.joined(refusals) { throw refusal }
        }
        guard password.utf8.count <= 72 else { throw ClerkError.bigPassword(parameter) }
        return try exchange.digest(of: password)
    }

    /// Sets a new password; clears the mark of a compromised one, and activates sessions that waited for it.
    func set(_ password: String, of user: inout UserRecord, parameter: String = "password", skipsChecks: Bool = false) throws {
        let rows = try UserDirectory(exchange: exchange).identifications(of: user).map(\.value)
        let identifiers = rows + [user.username].compactMap(\.self)
        user.passwordDigest = try digest(password, parameter: parameter, identifiers: identifiers, skipsChecks: skipsChecks)
        user.passwordHasher = "bcrypt"
        user.passwordUpdatedAt = exchange.now
        user.isPasswordCompromised = false
        try UserDirectory(exchange: exchange).save(&user)
        for var session in try SessionBook(exchange: exchange).live(of: user) where session.tasks.contains("reset-password") {
            session.tasks.removeAll { $0 == "reset-password" }
            if session.tasks.isEmpty { session.status = .active }
            try exchange.store.save(session)
        }
    }

    func remove(from user: inout UserRecord) throws {
        user.passwordDigest = nil
        user.passwordHasher = nil
        user.passwordUpdatedAt = nil
        user.isPasswordCompromised = false
        try UserDirectory(exchange: exchange).save(&user)
    }
}
