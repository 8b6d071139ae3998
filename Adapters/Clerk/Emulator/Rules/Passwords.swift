internal import LockstepPasswords
import LockstepPrimitives

/// Sets and removes passwords of users.
struct Passwords {
    let context: RequestContext

    /// Returns the digest of a new password that the policy allows.
    ///
    /// - Throws: One error with every broken rule.
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
        let rows = try context.users.identifications(of: user).map(\.value)
        let identifiers = rows + [user.username].compactMap(\.self)
        user.passwordDigest = try digest(password, parameter: parameter, identifiers: identifiers, skipsChecks: skipsChecks)
        user.passwordHasher = "bcrypt"
        user.passwordUpdatedAt = context.now
        user.isPasswordCompromised = false
        try context.users.save(&user)
        for var session in try context.sessions.live(of: user) where session.tasks.contains("reset-password") {
            session.finish(SessionTask.resetPassword)
            try context.db.save(session)
        }
    }

    func remove(from user: inout UserRecord) throws {
        user.passwordDigest = nil
        user.passwordHasher = nil
        user.passwordUpdatedAt = nil
        user.isPasswordCompromised = false
        try context.users.save(&user)
    }
}

/// The hashers of imported passwords (https://clerk.com/docs/reference/backend-api).
struct Hashers {
    let context: RequestContext

    /// Replaces a weak digest with a bcrypt digest, now that the password is known.
    func upgrade(_ user: inout UserRecord, _ password: String) throws {
        guard let hasher = user.passwordHasher, ClerkHasher(rawValue: hasher).isReplacedAtSignIn, password.utf8.count <= 72 else {
            return
        }
        user.passwordDigest = try context.digest(of: password)
        user.passwordHasher = ClerkHasher.bcrypt.rawValue
    }
}

/// Counts a user's failed verifications, and locks the user after too many.
struct Lockout {
    let context: RequestContext

    /// The duration of a lock that only an administrator ends.
    private static let forEver = Duration.seconds(100 * 365 * 24 * 3600)

    func isLocked(_ user: UserRecord) -> Bool {
        user.lockedUntil.map { $0 > context.now } ?? false
    }

    /// Returns the seconds until the lock ends; `nil` if there is no lock, or if it never ends.
    func secondsLeft(_ user: UserRecord) -> Int64? {
        guard let end = user.lockedUntil, end > context.now else { return nil }
        let left = end - context.now
        return left > .seconds(10 * 365 * 24 * 3600) ? nil : (left.milliseconds + 999) / 1000
    }

    func attemptsLeft(_ user: UserRecord) -> Int? {
        context.settings.lockout.map { max(0, $0.attempts - failures(user)) }
    }

    /// Rejects a banned or locked user.
    func check(_ user: UserRecord) throws {
        if user.isBanned { throw ClerkError.bannedUser }
        if isLocked(user) { throw ClerkError.lockedUser(seconds: secondsLeft(user)) }
    }

    /// Counts one failure and returns `refusal` with the count's warnings; the count stays although the request fails.
    func refusal(_ refusal: ClerkError, countedFor user: UserRecord) throws -> ClerkError {
        guard let rule = context.settings.lockout else { return refusal.keepingChanges() }
        var user = user
        user.failedAttempts = failures(user) + 1
        let left = rule.attempts - user.failedAttempts
        var refusal = refusal.keepingChanges()
        if left <= 2 { refusal.entries += ClerkError.lockoutWarning(attemptsLeft: max(0, left)).entries }
        if left <= 0 { user.lockedUntil = context.now + rule.duration } else { user.lockedUntil = nil }
        try context.db.save(user)
        return refusal
    }

    /// Resets the count after a successful verification.
    func succeed(_ user: inout UserRecord) {
        user.failedAttempts = 0
        user.lockedUntil = nil
    }

    /// Locks a user as an administrator does.
    func lock(_ user: inout UserRecord) {
        user.lockedUntil = context.now + (context.settings.lockout?.duration ?? Self.forEver)
    }

    /// Returns the number of failures; zero after an expired lock.
    private func failures(_ user: UserRecord) -> Int {
        guard let end = user.lockedUntil else { return user.failedAttempts }
        return end > context.now ? user.failedAttempts : 0
    }
}
