public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An administrator of the emulated project, with all rights of the console and of a server.
///
/// The calls do not use HTTP.
///
/// All calls apply to the project in the settings, not to its tenants.
///
/// ```swift
/// let admin = server.emulator.admin
/// let user = try admin.createUser(email: "ada@example.com", password: "Correct-Horse-1")
/// try admin.revokeSessions(of: user.id)
/// ```
public struct FirebaseAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// A user, with the data that an administrator sees.
    public struct User: Sendable, Hashable {
        /// The id of the user: Firebase's `localId`.
        public let id: String
        /// The email address, in lower case.
        public let email: String?
        /// Whether the email address is verified.
        public let isVerified: Bool
        /// The display name.
        public let displayName: String?
        /// The phone number.
        public let phoneNumber: String?
        /// Whether an administrator has disabled the account.
        public let isDisabled: Bool
        /// The names of the user's sign-in methods, such as `password` and `apple.com`.
        public let providers: [String]
    }
}

extension FirebaseAdministrator {
    /// Returns the number of users.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount() throws -> Int {
        try perform { context in try context.users.count() }
    }

    /// Returns the user with an email address.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An error of the emulator's database.
    public func user(email: String) throws -> User? {
        try perform { context in try context.users.find(email: Formats.canonical(email)).map(User.init) }
    }

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user; `nil` if no user has this id.
    /// - Throws: An error of the emulator's database.
    public func user(id: String) throws -> User? {
        try perform { context in try context.users.find(id).map(User.init) }
    }

    /// Creates a user.
    ///
    /// The call hashes the password on the caller's thread. The time for a hash depends on `memoryCost` in the
    /// settings.
    ///
    /// - Parameters:
    ///   - email: The email address; `nil` for none.
    ///   - password: The password. Default: none.
    ///   - isVerified: Whether the email address is verified. Default: `true`.
    ///   - displayName: The display name. Default: none.
    /// - Throws: ``FirebaseAdministratorError`` if another user has the address.
    @discardableResult
    public func createUser(
        email: String?, password: Secret? = nil, isVerified: Bool = true, displayName: String? = nil
    ) throws -> User {
        let hash = try password.map { try state.passwords.hash($0) }
        return try perform { context in
            var user = LockstepFirebaseEmulator.User(localID: context.newID())
            if let email {
                user.email = Formats.canonical(email)
                guard try context.users.find(email: Formats.canonical(email)) == nil else {
                    throw FirebaseAdministratorError("Another user has the address already.")
                }
            }
            user.emailVerified = isVerified
            user.displayName = displayName
            user.createdAt = context.now.milliseconds
            user.lastLoginAt = context.now.milliseconds
            if let hash { user.setPassword(hash, at: context.now) }
            user.settleIdentities()
            try context.users.create(user)
            return User(user)
        }
    }

    /// Adds an identity from an identity provider to a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - provider: The id of the provider, such as `apple.com`.
    ///   - subject: The id that the provider uses for the account.
    ///   - email: The email address of the identity. Default: none.
    /// - Throws: ``FirebaseAdministratorError`` if the user does not exist.
    public func link(_ id: String, provider: String, subject: String, email: String? = nil) throws {
        try change(id) { user in
            let identity = Identity(providerID: provider, rawID: subject, federatedID: subject, email: email)
            user.settleIdentities(adding: [identity])
        }
    }

    /// Ends all sessions of a user.
    ///
    /// The emulator then rejects tokens that were issued before the current second.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: ``FirebaseAdministratorError`` if the user does not exist.
    public func revokeSessions(of id: String) throws {
        let now = state.environment.now
        try change(id) { $0.validSince = now.seconds }
    }

    /// Deletes a user; does nothing if the user does not exist.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: An error of the emulator's database.
    public func deleteUser(_ id: String) throws {
        try perform { context in
            if let user = try context.users.find(id) { try context.users.remove(user) }
        }
    }

    /// The store of the settings; a reset restores the initial settings.
    public var settingsStore: SettingsStore<FirebaseSettings> { state.settingsStore }

    /// Changes the settings of the running server, such as sign-in methods, limits and lifetimes.
    ///
    /// - Parameter body: A closure that changes the settings.
    /// - Throws: An error of the emulator's database.
    public func change(_ body: (inout FirebaseSettings) -> Void) throws {
        let former = state.settings.projectConfig
        state.change(body)
        // A configuration from a request is kept, unless the settings have changed it.
        guard state.settings.projectConfig != former else { return }
        try perform { context in
            var config = context.scope.config.adding(context.settings.projectConfig)
            // The settings contain no functions, so functions from a request's configuration are kept.
            config["blockingFunctions"] = context.scope.config["blockingFunctions"]
            try context.scopes.setConfig(config, of: context.scope)
        }
    }

    private func change(_ id: String, _ body: (inout LockstepFirebaseEmulator.User) -> Void) throws {
        try perform { context in
            guard var user = try context.users.find(id) else {
                throw FirebaseAdministratorError("There is no user with this id.")
            }
            body(&user)
            try context.users.update(user)
        }
    }

    /// Runs `body` in a transaction, as a request of an administrator of the project.
    @discardableResult
    func perform<Value: Sendable>(_ body: (RequestContext) throws -> Value) throws -> Value {
        let value = try TransactionRunner(state).perform { context in try body(own(context)) }
        state.sendEvents()
        return value
    }

    /// Runs `body` like ``perform(_:)``, for a body that needs deferred work, such as password hashes.
    @discardableResult
    func performWithDeferredWork<Value: Sendable>(_ body: (RequestContext) throws -> Value) async throws -> Value {
        let value = try await TransactionRunner(state).performWithDeferredWork { context in try body(own(context)) }
        state.sendEvents()
        return value
    }

    /// Returns the context of a call for the project or a tenant, which is created if it is missing.
    func own(_ context: RequestContext, tenant: String? = nil, body: Body = Body()) throws -> RequestContext {
        context.call.scope = try context.scopes.created(project: state.project, tenant: tenant)
        context.call.body = body
        return context
    }
}

extension FirebaseAdministrator.User {
    init(_ user: LockstepFirebaseEmulator.User) {
        self.init(
            id: user.localID, email: user.email, isVerified: user.emailVerified ?? false, displayName: user.displayName,
            phoneNumber: user.phoneNumber, isDisabled: user.isDisabled ?? false,
            providers: (user.identities ?? []).map(\.providerID))
    }
}

/// An error of a ``FirebaseAdministrator``.
public struct FirebaseAdministratorError: ProviderError, Sendable, Hashable, CustomStringConvertible {
    /// The reason, in one sentence.
    public let description: String

    /// The same sentence, for the control routes.
    public var sentence: String { description }

    init(_ description: String) {
        self.description = description
    }
}
