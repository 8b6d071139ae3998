public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An administrator that reads and changes the instance's stored state without its APIs, for tests.
///
/// Every call is one transaction, and takes effect from the next request on.
public struct ClerkAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// Returns all users, oldest first.
    public func users() throws -> [ClerkAccount] {
        try perform { context in
            try context.db.all(UserRecord.self, "1 = 1 ORDER BY created_at, rowid").map { try ClerkAccount($0, context) }
        }
    }

    /// Returns the number of users.
    public func userCount() throws -> Int {
        try perform { try $0.users.count() }
    }

    /// Returns the user with an address, verified or not; `nil` if there is none.
    public func user(withAddress address: String) throws -> ClerkAccount? {
        try perform { context in
            let repository = context.users
            guard let email = EmailAddress(address), let row = try repository.holder(.email, email.text) else {
                return nil
            }
            return try repository.find(row.userID).map { try ClerkAccount($0, context) }
        }
    }

    /// Creates a user with a password, without applying the password policy.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    ///   - isVerified: Whether the address is verified. An unverified one is reserved, and can still be used to sign in.
    ///   - firstName: The first name.
    ///   - lastName: The last name.
    /// - Returns: The user with a password, without applying the password policy.
    /// - Throws: ``ClerkAdministratorError`` if the address is malformed or already used.
    public func createUser(
        email: String, password: Secret, isVerified: Bool = true, firstName: String? = nil, lastName: String? = nil
    ) async throws -> ClerkAccount {
        try await performWithDeferredWork { context in
            guard let address = EmailAddress(email) else { throw ClerkAdministratorError(code: "form_param_format_invalid") }
            var user = UserRecord(id: context.id(.user), at: context.now)
            user.firstName = firstName
            user.lastName = lastName
            user.passwordDigest = try context.digest(of: password.reveal())
            user.passwordHasher = "bcrypt"
            user.passwordUpdatedAt = context.now
            try context.db.save(user)
            try context.users.add(
                .email, address.text, to: &user, verification: isVerified ? .given(by: "admin") : nil, isReserved: !isVerified)
            try context.users.announce(user)
            return try ClerkAccount(user, context)
        }
    }

    /// Changes the names of a user.
    public func rename(_ userID: String, firstName: String?, lastName: String?) throws {
        try change(userID) { user, _ in
            user.firstName = firstName
            user.lastName = lastName
        }
    }

    /// Marks a user's password as compromised.
    ///
    /// It no longer works for sign-in, and a session from another factor is pending until there is a new password.
    public func requireNewPassword(_ userID: String) throws {
        try change(userID) { user, _ in user.isPasswordCompromised = true }
    }

    /// Deletes a user with all sessions.
    public func deleteUser(_ userID: String) throws {
        try perform { context in
            guard let user = try context.users.find(userID) else { throw Self.noSuchUser }
            try context.users.delete(user)
        }
    }

    /// Returns the ids of a user's active sessions, oldest first.
    public func sessions(of userID: String) throws -> [String] {
        try perform { context in
            guard let user = try context.users.find(userID) else { return [] }
            return try context.sessions.live(of: user).map(\.id)
        }
    }

    /// Ends a user's sessions in the same way as a revocation on another device.
    public func revokeSessions(of userID: String) throws {
        try change(userID) { user, context in try context.sessions.revokeAll(of: user) }
    }

    /// The settings, which a reset restores.
    public var settingsStore: SettingsStore<ClerkSettings> { state.settingsStore }

    /// Changes the settings of the running instance.
    public func change(_ body: (inout ClerkSettings) -> Void) {
        state.change(body)
    }

    static let noSuchUser = ClerkAdministratorError(code: "resource_not_found")

    private func change(_ userID: String, _ body: (inout UserRecord, RequestContext) throws -> Void) throws {
        try perform { context in
            guard var user = try context.users.find(userID) else { throw Self.noSuchUser }
            try body(&user, context)
            try context.users.save(&user)
        }
    }
}

/// A user as stored by the instance.
public struct ClerkAccount: Sendable, Hashable, Identifiable {
    /// The id, `user_…`.
    public var id: String
    /// The primary address, or the first one.
    public var email: String?
    /// Whether that address is verified.
    public var isEmailVerified: Bool
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The metadata that the user's apps can change.
    public var unsafeMetadata: JSONObject
    /// Whether sign-in is rejected.
    public var isBanned: Bool
    /// Whether there is a password.
    public var hasPassword: Bool

    /// The first and the last name; `nil` if there is neither.
    public var displayName: String? {
        let names = [firstName, lastName].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    init(_ user: UserRecord, _ context: RequestContext) throws {
        let rows = try context.users.identifications(of: user).filter { $0.kind == .email }
        let row = rows.first { $0.id == user.primaryEmailID } ?? rows.last
        id = user.id
        email = row?.value
        isEmailVerified = row?.isVerified ?? false
        firstName = user.firstName
        lastName = user.lastName
        unsafeMetadata = user.unsafeMetadata
        isBanned = user.isBanned
        hasPassword = user.passwordDigest != nil
    }
}

/// An error of an administrator's call.
public struct ClerkAdministratorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code that the API would have returned, such as `resource_not_found` or `form_identifier_exists`.
    public let code: String

    /// A sentence with the code.
    public var description: String { "The Clerk emulator refuses the administrator's call with \(code)." }
}
