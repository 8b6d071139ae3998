public import LockstepEmulation
@_exported public import LockstepPrimitives

/// Changes and reads the instance's stored state without its APIs, for tests.
///
/// Every call is one transaction, and applies from the next request on.
public struct ClerkAdministrator: Administrator {
    let instance: Instance

    /// All users, the oldest first.
    public func users() throws -> [ClerkAccount] {
        try perform { exchange in
            try exchange.store.all(UserRecord.self, "1 = 1 ORDER BY created_at, rowid").map { try ClerkAccount($0, exchange) }
        }
    }

    /// How many users there are.
    public func userCount() throws -> Int {
        try perform { try UserDirectory(exchange: $0).count() }
    }

    /// The user with this address, proven or not; `nil` where there is none.
    public func user(withAddress address: String) throws -> ClerkAccount? {
        try perform { exchange in
            let directory = UserDirectory(exchange: exchange)
            guard let email = EmailAddress(address), let row = try directory.identification(.email, email.text) else {
                return nil
            }
            return try directory.find(row.userID).map { try ClerkAccount($0, exchange) }
        }
    }

    /// Creates a user with a password; skips the password policy.
    ///
    /// - Parameter isVerified: whether the address is proven; an unproven one is reserved, and signs in all the same.
    /// - Throws: ``ClerkAdministratorError`` where the address is malformed or taken.
    public func createUser(
        email: String, password: Secret, isVerified: Bool = true, firstName: String? = nil, lastName: String? = nil
    ) async throws -> ClerkAccount {
        try await performWithDeferredWork { exchange in
            guard let address = EmailAddress(email) else { throw ClerkAdministratorError(code: "form_param_format_invalid") }
            var user = UserRecord(id: exchange.id(.user), at: exchange.now)
            user.firstName = firstName
            user.lastName = lastName
            user.passwordDigest = try exchange.digest(of: password.reveal())
            user.passwordHasher = "bcrypt"
            user.passwordUpdatedAt = exchange.now
            try exchange.store.save(user)
            try UserDirectory(exchange: exchange).add(
                .email, address.text, to: &user, verification: isVerified ? .given(by: "admin") : nil, isReserved: !isVerified)
            return try ClerkAccount(user, exchange)
        }
    }

    /// Gives a user other names.
    public func rename(_ userID: String, firstName: String?, lastName: String?) throws {
        try change(userID) { user, _ in
            user.firstName = firstName
            user.lastName = lastName
        }
    }

    /// Gives a user another password; skips the password policy; sessions go on.
    public func setPassword(_ password: Secret, of userID: String) async throws {
        try await performWithDeferredWork { exchange in
            guard var user = try UserDirectory(exchange: exchange).find(userID) else { throw Self.nobody }
            user.passwordDigest = try exchange.digest(of: password.reveal())
            user.passwordHasher = "bcrypt"
            user.passwordUpdatedAt = exchange.now
            try UserDirectory(exchange: exchange).save(&user)
        }
    }

    /// Bans a user and signs them out everywhere, or lifts the ban.
    public func setDisabled(_ isDisabled: Bool, of userID: String) throws {
        try change(userID) { user, exchange in
            user.isBanned = isDisabled
            if isDisabled { try SessionBook(exchange: exchange).revokeAll(of: user) }
        }
    }

    /// Locks a user for as long as the settings say, or lifts the lock.
    public func setLocked(_ isLocked: Bool, _ userID: String) throws {
        try change(userID) { user, exchange in
            if isLocked { Lockout(exchange: exchange).lock(&user) } else { Lockout(exchange: exchange).succeed(&user) }
        }
    }

    /// Marks a user's password as compromised.
    ///
    /// It no longer signs in, and a session made by another factor is pending until there is a new one.
    public func requireNewPassword(_ userID: String) throws {
        try change(userID) { user, _ in user.isPasswordCompromised = true }
    }

    /// Deletes a user with all sessions.
    public func deleteUser(_ userID: String) throws {
        try perform { exchange in
            guard let user = try UserDirectory(exchange: exchange).find(userID) else { throw Self.nobody }
            try UserDirectory(exchange: exchange).delete(user)
        }
    }

    /// The ids of a user's live sessions, the oldest first.
    public func sessions(of userID: String) throws -> [String] {
        try perform { exchange in
            guard let user = try UserDirectory(exchange: exchange).find(userID) else { return [] }
            return try SessionBook(exchange: exchange).live(of: user).map(\.id)
        }
    }

    /// Ends a user's sessions, as a revocation on another device does.
    public func revokeSessions(of userID: String) throws {
        try change(userID) { user, exchange in try SessionBook(exchange: exchange).revokeAll(of: user) }
    }

    /// Changes the settings of the running instance.
    public func change(_ body: (inout ClerkSettings) -> Void) {
        var settings = instance.settings
        body(&settings)
        instance.settings = settings
    }

    static let nobody = ClerkAdministratorError(code: "resource_not_found")

    private func change(_ userID: String, _ body: (inout UserRecord, Exchange) throws -> Void) throws {
        try perform { exchange in
            guard var user = try UserDirectory(exchange: exchange).find(userID) else { throw Self.nobody }
            try body(&user, exchange)
            try UserDirectory(exchange: exchange).save(&user)
        }
    }
}
