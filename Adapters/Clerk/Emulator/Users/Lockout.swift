import LockstepPrimitives

/// Counts failed proofs of a user, and locks the user out when there are too many.
struct Lockout {
    let exchange: Exchange

    /// A lock that only an administrator ends lasts as good as for ever.
    private static let forEver = Duration.seconds(100 * 365 * 24 * 3600)

    func isLocked(_ user: UserRecord) -> Bool {
        user.lockedUntil.map { $0 > exchange.now } ?? false
    }

    /// Seconds until the lock ends by itself; `nil` where there is no lock or no end.
    func secondsLeft(_ user: UserRecord) -> Int64? {
        guard let end = user.lockedUntil, end > exchange.now else { return nil }
        let left = end - exchange.now
        return left > .seconds(10 * 365 * 24 * 3600) ? nil : (left.milliseconds + 999) / 1000
    }

    func attemptsLeft(_ user: UserRecord) -> Int? {
        exchange.settings.lockout.map { max(0, $0.attempts - failures(user)) }
    }

    /// Refuses a banned or locked user.
    func check(_ user: UserRecord) throws {
        if user.isBanned { throw ClerkError.bannedUser }
        if isLocked(user) { throw ClerkError.lockedUser(seconds: secondsLeft(user)) }
    }

    /// Counts one failure and gives `refusal` back with what the count adds to it; the count stays though the request fails.
    func refusal(_ refusal: ClerkError, countedFor user: UserRecord) throws -> ClerkError {
        guard let rule = exchange.settings.lockout else { return refusal.keepingChanges() }
        var user = user
        user.failedAttempts = failures(user) + 1
        let left = rule.attempts - user.failedAttempts
        var refusal = refusal.keepingChanges()
        if left <= 2 { refusal.entries += ClerkError.lockoutWarning(attemptsLeft: max(0, left)).entries }
        if left <= 0 { user.lockedUntil = exchange.now + rule.duration } else { user.lockedUntil = nil }
        try exchange.store.save(user)
        return refusal
    }

    /// A proof was right: the count begins anew.
    func succeed(_ user: inout UserRecord) {
        user.failedAttempts = 0
        user.lockedUntil = nil
    }

    /// Locks a user as an administrator does.
    func lock(_ user: inout UserRecord) {
        user.lockedUntil = exchange.now + (exchange.settings.lockout?.duration ?? Self.forEver)
    }

    /// A lock that has ended took its failures with it.
    private func failures(_ user: UserRecord) -> Int {
        guard let end = user.lockedUntil else { return user.failedAttempts }
        return end > exchange.now ? user.failedAttempts : 0
    }
}
