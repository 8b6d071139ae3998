internal import LockstepPasswords
import LockstepPrimitives

/// Sets and removes passwords of users.
struct Passwords {
    let context: RequestContext

    /// The digest of a new password that the policy allows.
    ///
    /// - Throws: every broken rule, in one refusal.
    func digest(_ password: String, parameter: String = "password", identifiers: [String], skipsChecks: Bool = false) throws
        -> String
    {
        if !skipsChecks {
            let refusals = context.settings.passwordPolicy.refusals(of: password, identifiers: identifiers, parameter: parameter)
            if let refusal = ClerkError.joined(refusals) { throw refusal }
        }
        guard password.utf8.count <= 72 else { throw ClerkError.bigPassword(parameter) }
        return try context.digest(of: password)
    }

    /// Sets a new password; clears the mark of a compromised one, and activates sessions that waited for it.
    func set(_ password: String, of user: inout UserRecord, parameter: String = "password", skipsChecks: Bool = false) throws {
        let rows = try UserRepository(context: context).identifications(of: user).map(\.value)
        let identifiers = rows + [user.username].compactMap(\.self)
        user.passwordDigest = try digest(password, parameter: parameter, identifiers: identifiers, skipsChecks: skipsChecks)
        user.passwordHasher = "bcrypt"
        user.passwordUpdatedAt = context.now
        user.isPasswordCompromised = false
        try UserRepository(context: context).save(&user)
        for var session in try SessionRepository(context: context).live(of: user) where session.tasks.contains("reset-password") {
            session.tasks.removeAll { $0 == "reset-password" }
            if session.tasks.isEmpty { session.status = .active }
            try context.db.save(session)
        }
    }

    func remove(from user: inout UserRecord) throws {
        user.passwordDigest = nil
        user.passwordHasher = nil
        user.passwordUpdatedAt = nil
        user.isPasswordCompromised = false
        try UserRepository(context: context).save(&user)
    }
}

/// The hashers of imported passwords (reference, section 8.2).
struct Hashers {
    let context: RequestContext

    /// Replaces a weak digest by a bcrypt one, now that the password is known.
    func upgrade(_ user: inout UserRecord, _ password: String) throws {
        guard let hasher = user.passwordHasher, ClerkHasher(rawValue: hasher).isReplacedAtSignIn, password.utf8.count <= 72 else {
            return
        }
        user.passwordDigest = try context.digest(of: password)
        user.passwordHasher = ClerkHasher.bcrypt.rawValue
    }
}
