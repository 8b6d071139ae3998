public import LockstepEmulation
public import LockstepPrimitives
internal import LockstepSQLite

/// The administrator's access to the server's state, without the wire: for tests and benches.
///
/// Every call blocks; passwords are hashed on the calling thread, so call it where blocking is allowed.
public struct GoTrueAdministrator: Administrator {
    let core: Core

    /// A user's stored data.
    public struct Account: Sendable, Hashable {
        /// The user's id.
        public var id: String
        /// Empty where there is none.
        public var email: String
        /// Without a plus sign; empty where there is none.
        public var phone: String
        /// Whether the e-mail address is proven.
        public var isEmailConfirmed: Bool
        /// Whether it is a guest.
        public var isAnonymous: Bool
        /// Whether the user is banned now.
        public var isBanned: Bool
        /// The user's metadata.
        public var metadata: JSONObject
        /// The providers of the identities, oldest first.
        public var providers: [String]
    }

    /// Changes the project's switches, from the next request on; keys, addresses and limits keep their initial values.
    public func change(_ body: (inout GoTrueSettings) -> Void) {
        core.change(body)
    }

    /// The user of an e-mail address, ignoring case.
    public func account(email: String) throws -> Account? {
        try core.database.read { db in try db.user(email: email, audience: core.settings.tokens.audience) }.map(account)
    }

    /// The user of an id.
    public func account(id: String) throws -> Account? {
        try core.database.read { db in try db.user(id: id) }.map(account)
    }

    private func account(_ user: User) -> Account {
        Account(
            id: user.id, email: user.email, phone: user.phone, isEmailConfirmed: user.isEmailConfirmed,
            isAnonymous: user.isAnonymous, isBanned: user.isBanned(at: core.environment.now), metadata: user.userMetadata ?? [:],
            providers: (user.identities ?? []).map(\.provider))
    }

    /// How many users there are.
    public func userCount() throws -> Int {
        try core.database.read { db in try db.value("SELECT count(*) FROM users") ?? 0 }
    }

    /// How many sessions a user has.
    public func countSessions(of id: String) throws -> Int {
        try core.database.read { db in try db.value("SELECT count(*) FROM sessions WHERE user_id = \(id)") ?? 0 }
    }

    /// Makes a user whose address is proven, or, with `isConfirmed` false, one that must still prove it; sends nothing.
    ///
    /// - Throws: SQLite's error where the address is taken.
    @discardableResult
    public func createUser(
        email: String, password: Secret? = nil, metadata: JSONObject = [:], isConfirmed: Bool = true
    ) throws -> Account {
        var hash: String?
        if let password, case .text(let text) = core.run(.hash(password: password)) { hash = text }
        return try account(
            core.database.write { db in
                var turn = turn
                var user = User(
                    id: turn.uuid(), audience: core.settings.tokens.audience, role: core.settings.tokens.role, at: turn.now)
                user.email = email.lowercased()
                user.passwordHash = hash
                user.appMetadata = ["provider": "email", "providers": ["email"]]
                user.userMetadata = metadata
                try db.insert(user)
                user.identities = [try turn.makeIdentity(of: user, "email", Identity.data(of: user.id, email: user.email), &db)]
                if isConfirmed { try turn.confirmEmail(&user, &db) }
                try turn.audit(.signedUp, user, &db)
                turn.letters = []
                return user
            })
    }

    /// Changes a user's password, as an administrator does: all sessions end.
    public func setPassword(_ password: Secret, of id: String) throws {
        guard case .text(let hash) = core.run(.hash(password: password)) else { return }
        try change(id) { turn, user, db in try turn.updatePassword(&user, hash: hash, keeping: nil, &db) }
    }

    /// Disables a user for a hundred years, because GoTrue has no ban for good, or lifts the ban; sessions stay, but are refused.
    public func setDisabled(_ isDisabled: Bool, of id: String) throws {
        try ban(id, for: isDisabled ? .seconds(876_000 * 3600) : nil)
    }

    /// Disables a user for a time, as GoTrue's `ban_duration` does.
    public func disable(_ id: String, for duration: Duration) throws { try ban(id, for: duration) }

    private func ban(_ id: String, for duration: Duration?) throws {
        try change(id) { turn, user, db in
            user.bannedUntil = duration.map { turn.now + $0 }
            try turn.save(&user, &db)
        }
    }

    /// Proves a user's address.
    public func confirmEmail(of id: String) throws {
        try change(id) { turn, user, db in try turn.confirmEmail(&user, &db) }
    }

    /// Deletes a user with all related rows.
    public func deleteUser(_ id: String) throws {
        try core.database.write { db in try db.deleteUser(id: id) }
    }

    /// Ends all sessions of a user.
    public func revokeSessions(of id: String) throws {
        try core.database.write { db in try db.endSessions(of: id) }
    }

    /// Gives a user a verified authenticator app.
    ///
    /// - Returns: The key in base 32.
    @discardableResult
    public func addTOTPFactor(to id: String, named name: String = "app") throws -> Secret {
        try core.database.write { db in
            let turn = turn
            let secret = TOTP.newSecret(turn.randomness)
            var factor = Factor(
                id: turn.uuid(), userID: id, name: name, kind: .totp, secret: secret, createdAt: turn.now, updatedAt: turn.now)
            try db.insert(factor)
            factor.isVerified = true
            try db.save(&factor, at: turn.now)
            return Secret(secret)
        }
    }

    /// Removes all second factors of a user.
    public func removeFactors(of id: String) throws {
        try core.database.write { db in _ = try db.run("DELETE FROM mfa_factors WHERE user_id = \(id)") }
    }

    private func change(
        _ id: String, _ body: (inout Turn, inout User, inout SQLiteConnection) throws -> Void
    ) throws {
        try core.database.write { db in
            guard var user = try db.user(id: id) else { return }
            var turn = turn
            try body(&turn, &user, &db)
        }
    }

    private var turn: Turn {
        Turn(
            core: core, request: EmulatorRequest(method: "POST", target: "/"), now: core.environment.now, memory: Turn.Memory())
    }
}
