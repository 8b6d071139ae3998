public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import LockstepSQLite

/// Controls the emulated project as an administrator, without a request: the actions of a console or a server.
///
/// Every call applies to the project of the settings, not to its tenants.
public struct FirebaseAdmin: Administrator {
    let backend: Backend

    /// A user as an administrator sees it.
    public struct User: Sendable, Hashable {
        /// Firebase's `localId`.
        public let id: String
        /// The address, in lower case.
        public let email: String?
        /// Whether the address has been proven.
        public let isVerified: Bool
        /// The display name.
        public let displayName: String?
        /// The number.
        public let phoneNumber: String?
        /// Whether an administrator has locked the account.
        public let isDisabled: Bool
        /// The names of the linked ways to sign in: `password`, `apple.com`.
        public let providers: [String]
    }
}

extension FirebaseAdmin {
    /// How many users there are.
    public func userCount() throws -> Int {
        try reading { db, space in try db.userCount(in: space) }
    }

    /// The user of an address; `nil` where there is none.
    public func user(email: String) throws -> User? {
        try reading { db, space in try db.user(email: Formats.canonical(email), in: space).map(User.init) }
    }

    /// The user of an id; `nil` where there is none.
    public func user(id: String) throws -> User? {
        try reading { db, space in try db.user(id, in: space).map(User.init) }
    }

    /// Makes a user.
    ///
    /// Hashes the password on the caller's thread, which takes as long as the settings' `memoryCost` says.
    ///
    /// - Throws: ``AdminError`` where another user has the address.
    @discardableResult
    public func createUser(
        email: String?, password: Secret? = nil, isVerified: Bool = true, displayName: String? = nil
    ) throws -> User {
        let hash = try password.map { try backend.passwords.hash($0.reveal()) }
        let now = backend.clock.now
        return try writing { db, space in
            var user = LockstepFirebaseEmulator.User(localID: backend.newID())
            if let email {
                user.email = Formats.canonical(email)
                guard try db.user(email: Formats.canonical(email), in: space) == nil else {
                    throw AdminError("Another user has the address already.")
                }
            }
            user.emailVerified = isVerified
            user.displayName = displayName
            user.createdAt = now.milliseconds
            user.lastLoginAt = now.milliseconds
            if let hash { user.setPassword(hash, at: now) }
            user.settleIdentities()
            try db.insert(user, in: space)
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

    /// Marks an address as proven or not.
    public func setVerified(_ isVerified: Bool, of id: String) throws {
        try change(id) { $0.emailVerified = isVerified }
    }

    /// Disables an account or enables it again.
    public func setDisabled(_ isDisabled: Bool, of id: String) throws {
        try change(id) { $0.isDisabled = isDisabled }
    }

    /// Sets another password: earlier sessions end in strict mode.
    public func setPassword(_ password: Secret, of id: String) throws {
        let hash = try backend.passwords.hash(password.reveal())
        let now = backend.clock.now
        try change(id) { user in
            user.setPassword(hash, at: now)
            user.settleIdentities()
        }
    }

    /// Ends all sessions of a user: tokens issued before the current second are refused.
    public func revokeSessions(of id: String) throws {
        let now = backend.clock.now
        try change(id) { $0.validSince = now.seconds }
    }

    /// Deletes a user.
    public func deleteUser(_ id: String) throws {
        try writing { db, space in
            if let user = try db.user(id, in: space) { try db.delete(user, in: space) }
        }
    }

    /// Changes settings while the server runs: methods, limits, lifetimes, protection.
    public func change(_ body: (inout FirebaseSettings) -> Void) throws {
        backend.change(body)
        let settings = backend.settings
        let space = try backend.space(project: settings.project)
        try backend.setConfig(space.config.adding(settings.projectConfig), of: space)
    }

    private func change(_ id: String, _ body: (inout LockstepFirebaseEmulator.User) -> Void) throws {
        try writing { db, space in
            guard var user = try db.user(id, in: space) else { throw AdminError("There is no user of this id.") }
            body(&user)
            try db.update(user, in: space)
        }
    }

    private func reading<Value: Sendable>(_ body: (inout SQLiteConnection, Space) throws -> Value) throws -> Value {
        let space = try backend.space(project: backend.project)
        return try backend.store.read { db in try body(&db, space) }
    }

    private func writing<Value: Sendable>(_ body: (inout SQLiteConnection, Space) throws -> Value) throws -> Value {
        let space = try backend.space(project: backend.project)
        return try backend.store.write { db in try body(&db, space) }
    }
}

extension FirebaseAdmin.User {
    init(_ user: LockstepFirebaseEmulator.User) {
        self.init(
            id: user.localID, email: user.email, isVerified: user.emailVerified ?? false, displayName: user.displayName,
            phoneNumber: user.phoneNumber, isDisabled: user.isDisabled ?? false,
            providers: (user.identities ?? []).map(\.providerID))
    }
}
