public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrator of users and sessions for the control routes.
extension GoTrueAdministrator {
    /// Returns a page of a list of users.
    ///
    /// - Throws: An error of the emulator's database.
    public func users(_ listing: UserListing) throws -> [ControlledUser] {
        let key: SQL =
            switch listing.order {
            case .created: "row"
            case .address: "lower(coalesce(email, '+' || phone, id))"
            case .signedIn: "last_sign_in_at"
            }
        let statement = condition(listing) + listing.ending(key, "row")
        return try state.database.read { db in
            try db.all(User.self, statement).compactMap { try db.user(id: $0.id) }
        }.map(shown)
    }

    /// Returns the number of users on all pages of a list.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount(_ listing: UserListing) throws -> Int {
        let condition = condition(listing)
        return try state.database.read { db in try db.count(User.self, condition) }
    }

    private func condition(_ listing: UserListing) -> SQL {
        var condition: SQL = "TRUE"
        if let query = listing.query {
            condition += " AND \(SQL.contains(query, in: "id", "email", "'+' || phone", Self.shownName))"
        }
        if let after = listing.after {
            let last: SQL = "(SELECT row FROM users WHERE id = \(after))"
            condition += " AND row > coalesce(\(last), 0)"
        }
        switch listing.state {
        case .verified: condition += " AND email_confirmed_at IS NOT NULL"
        case .unverified: condition += " AND email IS NOT NULL AND email_confirmed_at IS NULL"
        case .anonymous: condition += " AND is_anonymous"
        case .disabled: condition += " AND banned_until > \(state.environment.now)"
        case .secondFactor:
            condition +=
                " AND id IN (SELECT user_id FROM mfa_factors WHERE status = 'verified' AND factor_type IN ('totp', 'phone'))"
        case nil: break
        }
        switch listing.method {
        case "password": condition += " AND coalesce(encrypted_password, '') != ''"
        case "phone": condition += " AND phone IS NOT NULL"
        case let name?: condition += " AND id IN (SELECT user_id FROM identities WHERE \(SQL.contains(name, in: "provider")))"
        case nil: break
        }
        return condition
    }

    /// The name that ``shown(_:)`` returns.
    private static let shownName: SQL = """
        coalesce(json_extract(raw_user_meta_data, '$.display_name'), json_extract(raw_user_meta_data, '$.full_name'), \
        json_extract(raw_user_meta_data, '$.name'))
        """

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user; `nil` if no user has this id.
    /// - Throws: An error of the emulator's database.
    public func controlledUser(_ id: String) throws -> ControlledUser? {
        try state.database.read { db in try db.user(id: id) }.map(shown)
    }

    /// Creates a user, whose id is a UUID.
    ///
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has the same value.
    public func make(_ values: UserValues) async throws -> ControlledUser {
        try shown(
            await TransactionRunner(state).performWithDeferredWork { context in
                var user = context.users.blank()
                if let id = values.id {
                    guard let id = UUIDText.normal(id) else { throw UserValueError.invalid("id", expected: "a UUID") }
                    guard try context.db.user(id: id) == nil else { throw UserValueError.taken("id") }
                    user.id = id
                }
                user.userMetadata = [:]
                let hash = try values.password.map(context.passwords.hash(ofAdministrator:))
                try context.db.insert(user)
                user.passwordHash = hash
                try Self.apply(values, to: &user, context)
                try context.users.updateProviders(&user)
                try context.auditLog.record(.signedUp, user)
                return user
            })
    }

    /// Changes a user; a new password ends the user's sessions, as after a change by an administrator.
    ///
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has the same value.
    public func update(_ id: String, _ values: UserValues) async throws {
        if values.id != nil { throw UserValueError.unsupported("id") }
        try await TransactionRunner(state).performWithDeferredWork { context in
            guard var user = try context.db.user(id: id) else { return }
            if let password = values.password {
                let hash = try context.passwords.hash(ofAdministrator: password)
                try context.users.updatePassword(&user, hash: hash, keeping: nil)
            }
            try Self.apply(values, to: &user, context)
            if values.email != nil || values.phone != nil { try context.users.updateProviders(&user) }
        }
    }

    /// Returns the sessions of a user.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The sessions, oldest first.
    /// - Throws: An error of the emulator's database.
    public func controlledSessions(of id: String) throws -> [ControlledSession] {
        try state.database.read { db in
            try db.sessions(of: id).map { session in
                ControlledSession(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.refreshedAt,
                    userAgent: session.agent.isEmpty ? nil : session.agent,
                    address: session.address.isEmpty ? nil : session.address,
                    hasSecondFactor: session.isSecondFactor)
            }
        }
    }

    /// Ends a session.
    ///
    /// - Returns: Whether there was an active session with this id.
    /// - Throws: An error of the emulator's database.
    public func endSession(_ id: String) throws -> Bool {
        try state.database.write { db in
            guard try db.session(id: id) != nil else { return false }
            try db.delete(Session.self, "id = \(id)")
            return true
        }
    }

    /// Opens a session for a user, as a sign-in with a password does.
    ///
    /// The handover of the session contains the key and the value that supabase-js stores in a browser.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - secondFactor: Whether the user has completed a second factor in the session.
    /// - Throws: `UserValueError` if the user does not exist, or if the settings do not allow such a session.
    public func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession {
        let session = try await TransactionRunner(state).performWithDeferredWork { context in
            guard var user = try context.db.user(id: id) else { throw UserValueError.invalid("id", expected: "the id of a user") }
            let opened = try context.sessions.open(for: &user, by: .password)
            guard secondFactor, var session = try context.db.session(id: opened.sessionID) else { return opened }
            let method = user.factors.first(where: \.isControlled)?.kind.method ?? .totp
            try context.db.addProof(method, to: session.id, at: context.now)
            session.proofs = try context.db.proofs(of: session.id)
            return try context.sessions.issue(opened.refreshToken, of: session, to: user, by: method)
        }
        // The first label of the host, which supabase-js uses in the name of its entry (`SupabaseClient.ts`).
        let host = GoURL(state.base)?.hostname ?? ""
        let key = "sb-\(host.cut(at: ".").head)-auth-token"
        return OpenedSession(
            accessToken: Secret(session.accessToken), refreshToken: Secret(session.refreshToken),
            expiresAt: Instant(seconds: session.expiresAt),
            handover: ["storageKey": .string(key), "session": .object(session.json)])
    }

    private func shown(_ user: User) -> ControlledUser {
        var shown = ControlledUser(id: user.id)
        shown.email = user.email.isEmpty ? nil : user.email
        shown.isEmailConfirmed = user.isEmailConfirmed
        shown.phone = user.phone.isEmpty ? nil : "+" + user.phone
        shown.isPhoneConfirmed = user.isPhoneConfirmed
        shown.displayName = ["display_name", "full_name", "name"].compactMap { user.userMetadata?[$0]?.string }.first
        shown.photoURL = user.userMetadata?["avatar_url"]?.string
        shown.isAnonymous = user.isAnonymous
        shown.isDisabled = user.isBanned(at: state.environment.now)
        shown.hasPassword = user.hasPassword
        shown.userMetadata = user.userMetadata ?? [:]
        shown.appMetadata = user.appMetadata
        shown.identities = (user.identities ?? []).map { .init(provider: $0.provider, subject: $0.subject) }
        shown.factors = user.factors.filter(\.isControlled).map { .init($0) }
        shown.createdAt = user.createdAt
        shown.lastSignInAt = user.lastSignInAt
        return shown
    }

    private static func apply(_ values: UserValues, to user: inout User, _ context: RequestContext) throws {
        if values.privateMetadata != nil { throw UserValueError.unsupported("privateMetadata") }
        if let metadata = values.userMetadata { user.userMetadata = metadata }
        if let metadata = values.appMetadata {
            // The server's own members stay.
            let kept = user.appMetadata.filter { ["provider", "providers"].contains($0.name) }
            user.appMetadata = metadata
            for (name, value) in kept { user.appMetadata[name] = value }
        }
        for (name, value) in [("display_name", values.displayName), ("avatar_url", values.photoURL)] {
            if let value { user.mergeUserMetadata([name: value.isEmpty ? .null : .string(value)]) }
        }
        if let isDisabled = values.isDisabled { user.bannedUntil = isDisabled ? context.now + .seconds(876_000 * 3600) : nil }
        if let text = values.email { try set(.email, text, isConfirmed: values.isEmailConfirmed, &user, context) }
        if let text = values.phone { try set(.phone, text, isConfirmed: values.isPhoneConfirmed, &user, context) }
        if let isConfirmed = values.isEmailConfirmed, isConfirmed != user.isEmailConfirmed {
            if isConfirmed { try context.users.confirmEmail(&user) } else { user.emailConfirmedAt = nil }
        }
        if let isConfirmed = values.isPhoneConfirmed, isConfirmed != user.isPhoneConfirmed {
            if isConfirmed { try context.users.confirmPhone(&user) } else { user.phoneConfirmedAt = nil }
        }
        try context.users.save(&user)
    }

    private enum Kind: String { case email, phone }

    /// Sets or removes a user's address or number together with its identity.
    private static func set(
        _ kind: Kind, _ text: String, isConfirmed: Bool?, _ user: inout User, _ context: RequestContext
    ) throws {
        var value = text
        if !text.isEmpty {
            do throws(GoTrueError) {
                value = kind == .email ? try Address.email(text) : try Address.phone(text)
            } catch {
                throw UserValueError.invalid(
                    kind.rawValue, expected: kind == .email ? "an address" : "a number such as +15550100")
            }
        }
        guard value != (kind == .email ? user.email : user.phone) else { return }
        // The database has one user of an address or a number, whatever the audience is.
        let holders: SQL = kind == .email ? "email = \(value) AND is_sso_user = 0" : "phone = \(value)"
        var isTaken = try !value.isEmpty && context.db.count(User.self, "\(holders) AND id <> \(user.id)") > 0
        if kind == .email, !value.isEmpty, !isTaken {
            isTaken = try context.db.owner(ofEmail: value, audience: user.audience, but: user.id) != nil
        }
        if isTaken { throw UserValueError.taken(kind.rawValue) }
        if kind == .email {
            user.email = value
            user.emailConfirmedAt = nil
        } else {
            user.phone = value
            user.phoneConfirmedAt = nil
        }
        try context.users.save(&user)
        try context.db.delete(Identity.self, "user_id = \(user.id) AND provider = \(kind.rawValue)")
        guard !value.isEmpty else { return }
        let isVerified = isConfirmed ?? false
        let data =
            kind == .email
            ? Identity.data(of: user.id, email: value, isVerified: isVerified)
            : Identity.data(of: user.id, phone: value, isVerified: isVerified)
        _ = try context.users.makeIdentity(of: user, kind.rawValue, data)
        user.identities = try context.db.identities(of: user.id)
    }
}
