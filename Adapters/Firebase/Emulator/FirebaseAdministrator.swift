public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An administrator of the emulated project, without HTTP: the actions of a console or a server.
///
/// Every call applies to the project of the settings, not to its tenants.
public struct FirebaseAdministrator: EmulatorAdministrator {
    let state: ServerState

    /// A user as an administrator sees it.
    public struct User: Sendable, Hashable {
        /// Firebase's `localId`.
        public let id: String
        /// The address, in lower case.
        public let email: String?
        /// Whether the address has been verified.
        public let isVerified: Bool
        /// The display name.
        public let displayName: String?
        /// The number.
        public let phoneNumber: String?
        /// Whether an administrator has locked the account.
        public let isDisabled: Bool
        /// The names of the linked sign-in methods: `password`, `apple.com`.
        public let providers: [String]
    }
}

extension FirebaseAdministrator {
    /// Returns the number of users.
    public func userCount() throws -> Int {
        try perform { context in try context.users.count() }
    }

    /// Returns the user with an address; `nil` if there is none.
    public func user(email: String) throws -> User? {
        try perform { context in try context.users.find(email: Formats.canonical(email)).map(User.init) }
    }

    /// Returns the user with an id; `nil` if there is none.
    public func user(id: String) throws -> User? {
        try perform { context in try context.users.find(id).map(User.init) }
    }

    /// Creates a user.
    ///
    /// The password is hashed on the caller's thread; the duration depends on the settings' `memoryCost`.
    ///
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

    /// Links an identity at another provider to a user.
    public func link(_ id: String, provider: String, subject: String, email: String? = nil) throws {
        try change(id) { user in
            let identity = Identity(providerID: provider, rawID: subject, federatedID: subject, email: email)
            user.settleIdentities(adding: [identity])
        }
    }

    /// Ends all sessions of a user.
    ///
    /// Tokens that were issued before the current second are rejected.
    public func revokeSessions(of id: String) throws {
        let now = state.environment.now
        try change(id) { $0.validSince = now.seconds }
    }

    /// Deletes a user.
    public func deleteUser(_ id: String) throws {
        try perform { context in
            if let user = try context.users.find(id) { try context.users.remove(user) }
        }
    }

    /// The settings, which a reset restores.
    public var settingsStore: SettingsStore<FirebaseSettings> { state.settingsStore }

    /// Changes settings while the server runs: methods, limits, lifetimes, protection.
    public func change(_ body: (inout FirebaseSettings) -> Void) throws {
        let former = state.settings.projectConfig
        state.change(body)
        // What is configured over the wire stays, unless the settings have changed it.
        guard state.settings.projectConfig != former else { return }
        try perform { context in
            var config = context.scope.config.adding(context.settings.projectConfig)
            // Settings know no functions: those that were configured over the wire stay.
            config["blockingFunctions"] = context.scope.config["blockingFunctions"]
            try context.scopes.setConfig(config, of: context.scope)
        }
    }

    private func change(_ id: String, _ body: (inout LockstepFirebaseEmulator.User) -> Void) throws {
        try perform { context in
            guard var user = try context.users.find(id) else {
                throw FirebaseAdministratorError("There is no user of this id.")
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

    /// The same for a body that needs deferred work, such as password hashes.
    @discardableResult
    func performWithDeferredWork<Value: Sendable>(_ body: (RequestContext) throws -> Value) async throws -> Value {
        let value = try await TransactionRunner(state).performWithDeferredWork { context in try body(own(context)) }
        state.sendEvents()
        return value
    }

    /// The context of a call that is the project's, or a tenant's, which is created if it is missing.
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

/// The error of a failed administrator's call.
public struct FirebaseAdministratorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence with the reason.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
