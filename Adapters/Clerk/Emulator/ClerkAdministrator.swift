public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An administrator for tests, which reads and changes the stored state of an emulated instance without the instance's APIs.
///
/// Each call is one transaction, and takes effect with the next request.
///
/// ```swift
/// let admin = server.emulator.admin
/// let user = try await admin.createUser(email: "ada@example.com", password: "Correct-Horse-1")
/// try admin.revokeSessions(of: user.id)
/// ```
public struct ClerkAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// Returns all users, oldest first.
    ///
    /// - Throws: An error of the emulator's database.
    public func users() throws -> [ClerkAccount] {
        try perform { context in
            try context.db.all(UserRecord.self, "1 = 1 ORDER BY created_at, rowid").map { try ClerkAccount($0, context) }
        }
    }

    /// Returns the number of users.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount() throws -> Int {
        try perform { try $0.users.count() }
    }

    /// Returns the user with an email address, even if the address is unverified.
    ///
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An error of the emulator's database.
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
    ///   - isVerified: Whether the address is verified. An unverified address is reserved for the user, who can sign in
    ///     with this address. Default: `true`.
    ///   - firstName: The first name. Default: none.
    ///   - lastName: The last name. Default: none.
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

    /// Changes the first and the last name of a user.
    ///
    /// - Parameters:
    ///   - userID: The user's id.
    ///   - firstName: The new first name; `nil` for none.
    ///   - lastName: The new last name; `nil` for none.
    /// - Throws: ``ClerkAdministratorError`` if the user does not exist.
    public func rename(_ userID: String, firstName: String?, lastName: String?) throws {
        try change(userID) { user, _ in
            user.firstName = firstName
            user.lastName = lastName
        }
    }

    /// Marks a user's password as compromised, so that the user needs a new one.
    ///
    /// The user can no longer sign in with the password. If the user signs in with another factor, the session is
    /// pending until the user has set a new password.
    ///
    /// - Throws: ``ClerkAdministratorError`` if the user does not exist.
    public func requireNewPassword(_ userID: String) throws {
        try change(userID) { user, _ in user.isPasswordCompromised = true }
    }

    /// Deletes a user with all sessions.
    ///
    /// - Parameter userID: The user's id.
    /// - Throws: ``ClerkAdministratorError`` if the user does not exist.
    public func deleteUser(_ userID: String) throws {
        try perform { context in
            guard let user = try context.users.find(userID) else { throw Self.noSuchUser }
            try context.users.delete(user)
        }
    }

    /// Returns the ids of a user's active sessions, oldest first.
    ///
    /// - Returns: The ids of the sessions; empty if the user does not exist.
    /// - Throws: An error of the emulator's database.
    public func sessions(of userID: String) throws -> [String] {
        try perform { context in
            guard let user = try context.users.find(userID) else { return [] }
            return try context.sessions.live(of: user).map(\.id)
        }
    }

    /// Ends all sessions of a user, as if the user had revoked them on another device.
    ///
    /// - Parameter userID: The user's id.
    /// - Throws: ``ClerkAdministratorError`` if the user does not exist.
    public func revokeSessions(of userID: String) throws {
        try change(userID) { user, context in try context.sessions.revokeAll(of: user) }
    }

    /// The store of the settings; a reset restores its initial settings.
    public var settingsStore: SettingsStore<ClerkSettings> { state.settingsStore }

    /// Changes the settings of the running instance until the next reset.
    ///
    /// - Parameter body: A closure that changes the settings.
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

/// A user, as the instance stores it.
public struct ClerkAccount: Sendable, Hashable, Identifiable {
    /// The id of the user, such as `user_…`.
    public var id: String
    /// The primary email address, or the first email address if none is primary.
    public var email: String?
    /// Whether the address in ``email`` is verified.
    public var isEmailVerified: Bool
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The metadata that the user's apps can change.
    public var unsafeMetadata: JSONObject
    /// Whether the user is banned and cannot sign in.
    public var isBanned: Bool
    /// Whether the user has a password.
    public var hasPassword: Bool

    /// The first and the last name, joined by a space; `nil` if the user has neither.
    public var displayName: String? {
        let names = [firstName, lastName].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    init(_ user: UserRecord, _ context: RequestContext) throws {
        let rows = try context.users.identifications(of: user).filter { $0.kind == .email }
        let row = rows.first { $0.id.exact == user.primaryEmailID?.exact } ?? rows.last
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

/// An error of a ``ClerkAdministrator``.
public struct ClerkAdministratorError: ProviderError, Sendable, Hashable, CustomStringConvertible {
    /// The error code that the API would return, such as `resource_not_found` or `form_identifier_exists`.
    public let code: String

    /// A sentence that describes the error and contains its code.
    public var description: String { "The Clerk emulator refuses the administrator's call with \(code)." }

    /// The same sentence, for the control routes.
    public var sentence: String { description }
}
