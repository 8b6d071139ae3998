public import LockstepEmulation
public import LockstepPrimitives
internal import LockstepSQLite

/// The administrator's access to the server's state without HTTP, for tests and harnesses.
///
/// Every call blocks, and passwords are hashed on the calling thread, so call it only if blocking is allowed.
public struct GoTrueAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// A user's stored data.
    public struct Account: Sendable, Hashable {
        /// The user's id.
        public var id: String
        /// The email address; empty if there is none.
        public var email: String
        /// The number without a plus sign; empty if there is none.
        public var phone: String
        /// Whether the e-mail address is verified.
        public var isEmailConfirmed: Bool
        /// Whether the user is a guest.
        public var isAnonymous: Bool
        /// Whether the user is banned now.
        public var isBanned: Bool
        /// The user's metadata.
        public var metadata: JSONObject
        /// The providers of the identities, oldest first.
        public var providers: [String]
    }

    /// The settings, which a reset restores.
    public var settingsStore: SettingsStore<GoTrueSettings> { state.settingsStore }

    /// Changes the project's settings from the next request on.
    ///
    /// Keys and the server's own address keep their initial values.
    public func change(_ body: (inout GoTrueSettings) -> Void) {
        state.change(body)
    }

    /// Returns the user with an email address, ignoring case.
    public func account(email: String) throws -> Account? {
        try state.database.read { db in try db.user(email: email, audience: state.settings.tokens.audience) }.map(account)
    }

    /// Returns the user with an id.
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
    public func userCount() throws -> Int {
        try state.database.read { db in try db.count(User.self, "TRUE") }
    }

    /// Returns the number of a user's sessions.
    public func countSessions(of id: String) throws -> Int {
        try state.database.read { db in try db.count(Session.self, "user_id = \(id)") }
    }

    /// Creates a user with a verified address, or with an unverified one if `isConfirmed` is false.
    ///
    /// It sends no message.
    ///
    /// - Throws: SQLite's error if another user has the address.
    @discardableResult
    public func createUser(
        email: String, password: Secret? = nil, metadata: JSONObject = [:], isConfirmed: Bool = true
    ) throws -> Account {
        let hash = password.flatMap(hash)
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

    /// Disables a user for a time, in the same way as GoTrue's `ban_duration`.
    public func disable(_ id: String, for duration: Duration) throws {
        try change(id) { context, user in
            user.bannedUntil = context.now + duration
            try context.users.save(&user)
        }
    }

    /// Verifies a user's address.
    public func confirmEmail(of id: String) throws {
        try change(id) { context, user in try context.users.confirmEmail(&user) }
    }

    /// Deletes a user with all related rows.
    public func deleteUser(_ id: String) throws {
        try state.database.write { db in try db.delete(User.self, "id = \(id)") }
    }

    /// Ends all sessions of a user.
    public func revokeSessions(of id: String) throws {
        try state.database.write { db in try db.endSessions(of: id) }
    }

    private func change(_ id: String, _ body: (RequestContext, inout User) throws -> Void) throws {
        try TransactionRunner(state).perform { context in
            guard var user = try context.db.user(id: id) else { return }
            try body(context, &user)
        }
    }

    private func hash(_ password: Secret) -> String? {
        let environment = state.environment
        return try? environment.hash(
            password, by: .bcrypt(state.settings.passwords.cost, randomness: environment.randomness)
        ).goTrueText
    }
}
