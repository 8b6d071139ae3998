public import LockstepEmulation
public import LockstepPrimitives
internal import LockstepSQLite

/// An administrator that reads and changes the stored state of the emulated server without HTTP, for tests.
///
/// Each call blocks its thread, and hashes a password on that thread. Make these calls only on a thread that may block.
///
/// ```swift
/// let admin = server.emulator.admin
/// let user = try admin.createUser(email: "ada@example.com", password: "Correct-Horse-1")
/// try admin.revokeSessions(of: user.id)
/// ```
public struct GoTrueAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// A user, as the server stores it.
    public struct Account: Sendable, Hashable {
        /// The user's id.
        public var id: String
        /// The email address; empty if the user has none.
        public var email: String
        /// The phone number without a plus sign; empty if the user has none.
        public var phone: String
        /// Whether the email address is verified.
        public var isEmailConfirmed: Bool
        /// Whether the user is anonymous.
        public var isAnonymous: Bool
        /// Whether the user is currently banned.
        public var isBanned: Bool
        /// The user's metadata.
        public var metadata: JSONObject
        /// The providers of the user's identities, oldest first.
        public var providers: [String]
    }

    /// The store of the settings; a reset restores the initial settings.
    public var settingsStore: SettingsStore<GoTrueSettings> { state.settingsStore }

    /// Changes the settings of the project; the change takes effect with the next request.
    ///
    /// The keys and the server's own address keep their initial values.
    ///
    /// - Parameter body: A closure that changes the settings.
    public func change(_ body: (inout GoTrueSettings) -> Void) {
        state.change(body)
    }

    /// Returns the user with an email address.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An error of the emulator's database.
    public func account(email: String) throws -> Account? {
        try state.database.read { db in try db.user(email: email, audience: state.settings.tokens.audience) }.map(account)
    }

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user; `nil` if no user has this id.
    /// - Throws: An error of the emulator's database.
    public func account(id: String) throws -> Account? {
        try state.database.read { db in try db.user(id: id) }.map(account)
    }

    private func account(_ user: User) -> Account {
        Account(
            id: user.id, email: user.email, phone: user.phone, isEmailConfirmed: user.isEmailConfirmed,
            isAnonymous: user.isAnonymous, isBanned: user.isBanned(at: state.environment.now), metadata: user.userMetadata ?? [:],
            providers: (user.identities ?? []).map(\.provider))
    }

    /// Returns the number of users.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount() throws -> Int {
        try state.database.read { db in try db.count(User.self, "TRUE") }
    }

    /// Returns the number of a user's sessions.
    ///
    /// - Throws: An error of the emulator's database.
    public func countSessions(of id: String) throws -> Int {
        try state.database.read { db in try db.count(Session.self, "user_id = \(id)") }
    }

    /// Creates a user without sending a message.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password. Default: none.
    ///   - metadata: The user's metadata. Default: none.
    ///   - isConfirmed: Whether the email address is verified. Default: `true`.
    /// - Throws: An error of SQLite if another user has the address; `UserValueError` if the password is too long for
    ///   bcrypt.
    @discardableResult
    public func createUser(
        email: String, password: Secret? = nil, metadata: JSONObject = [:], isConfirmed: Bool = true
    ) throws -> Account {
        let hash = try password.flatMap(hash)
        return try account(
            TransactionRunner(state).perform { context in
                let settings = context.settings
                var user = User(
                    id: context.uuid(), audience: settings.tokens.audience, role: settings.tokens.role, at: context.now)
                user.email = email.lowercased()
                user.passwordHash = hash
                user.setProviders(["email"])
                user.userMetadata = metadata
                try context.db.insert(user)
                let data = Identity.data(of: user.id, email: user.email)
                user.identities = [try context.users.makeIdentity(of: user, "email", data)]
                if isConfirmed { try context.users.confirmEmail(&user) }
                try context.auditLog.record(.signedUp, user)
                return user
            })
    }

    /// Disables a user for some time, as GoTrue's `ban_duration` does; does nothing if the user does not exist.
    ///
    /// - Parameters:
    ///   - duration: The time for which the user cannot sign in.
    /// - Throws: An error of the emulator's database.
    public func disable(_ id: String, for duration: Duration) throws {
        try change(id) { context, user in
            user.bannedUntil = context.now + duration
            try context.users.save(&user)
        }
    }

    /// Marks a user's email address as verified; does nothing if the user does not exist.
    ///
    /// - Throws: An error of the emulator's database.
    public func confirmEmail(of id: String) throws {
        try change(id) { context, user in try context.users.confirmEmail(&user) }
    }

    /// Deletes a user and all related rows.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: An error of the emulator's database.
    public func deleteUser(_ id: String) throws {
        try state.database.write { db in try db.delete(User.self, "id = \(id)") }
    }

    /// Ends all sessions of a user.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: An error of the emulator's database.
    public func revokeSessions(of id: String) throws {
        try state.database.write { db in try db.endSessions(of: id) }
    }

    private func change(_ id: String, _ body: (RequestContext, inout User) throws -> Void) throws {
        try TransactionRunner(state).perform { context in
            guard var user = try context.db.user(id: id) else { return }
            try body(context, &user)
        }
    }

    private func hash(_ password: Secret) throws -> String? {
        let environment = state.environment
        let hasher = PasswordHasher.bcrypt(state.settings.passwords.cost, randomness: environment.randomness)
        do {
            return try environment.hash(password, by: hasher).goTrueText
        } catch {
            throw UserValueError(error)
        }
    }
}
