public import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrator of users and sessions for the control routes.
extension ClerkAdministrator {
    /// Returns a page of a list of users; the search works like Clerk's own.
    ///
    /// - Throws: An error of the emulator's database.
    public func users(_ listing: UserListing) throws -> [ControlledUser] {
        let address: SQL = "(SELECT min(lower(value)) FROM identifications WHERE user_id = users.id)"
        let (key, last): (SQL, SQL) =
            switch listing.order {
            case .created: ("", listing.isDescending ? "created_at DESC, rowid" : "created_at, rowid")
            case .address: ("coalesce(\(address), id)", "rowid")
            case .signedIn: ("last_sign_in_at", "rowid")
            }
        return try perform { context in
            try context.db.all(UserRecord.self, try Self.condition(listing, context) + listing.ending(key, last))
                .map { try Self.shown($0, context) }
        }
    }

    /// Returns the number of users on all pages of a list.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount(_ listing: UserListing) throws -> Int {
        try perform { context in try context.db.count(UserRecord.self, try Self.condition(listing, context)) }
    }

    private static func condition(_ listing: UserListing, _ context: RequestContext) throws -> SQL {
        var condition: SQL = "1 = 1"
        if let query = listing.query {
            let found = SQL.contains(query, in: "id", "first_name || ' ' || last_name")
            condition += " AND (\(found) OR id IN (\(UserSearch.ids(matching: query))))"
        }
        if let after = listing.after, let last = try context.users.find(after) {
            let row: SQL = "(SELECT rowid FROM users WHERE id = \(after))"
            condition += " AND (created_at > \(last.createdAt) OR created_at = \(last.createdAt) AND rowid > \(row))"
        }
        let emails: SQL = "SELECT user_id FROM identifications WHERE kind = 'email_address'"
        let verified: SQL = "\(emails) AND json_extract(verification, '$.status') = 'verified'"
        switch listing.state {
        case .verified: condition += " AND id IN (\(verified))"
        case .unverified: condition += " AND id IN (\(emails)) AND id NOT IN (\(verified))"
        case .anonymous: condition += " AND FALSE"
        case .disabled: condition += " AND banned"
        case .secondFactor:
            condition += " AND (totp_verified OR id IN (SELECT user_id FROM identifications WHERE second_factor))"
        case nil: break
        }
        switch listing.method {
        case "password": condition += " AND password_digest IS NOT NULL"
        case "phone": condition += " AND id IN (SELECT user_id FROM identifications WHERE kind = 'phone_number')"
        case let name?:
            condition += " AND id IN (SELECT user_id FROM external_accounts WHERE \(SQL.contains(name, in: "provider")))"
        case nil: break
        }
        return condition
    }

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user; `nil` if no user has this id.
    /// - Throws: An error of the emulator's database.
    public func controlledUser(_ id: String) throws -> ControlledUser? {
        try perform { context in try context.users.find(id).map { try Self.shown($0, context) } }
    }

    /// Creates a user with an id that Clerk chooses.
    ///
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has it.
    public func make(_ values: UserValues) async throws -> ControlledUser {
        if values.id != nil { throw UserValueError.unsupported("id") }
        return try await performWithDeferredWork { context in
            var user = UserRecord(id: context.id(.user), at: context.now)
            try Self.apply(values, to: &user, context)
            try context.db.save(user)
            try Self.applyAddresses(values, to: &user, context)
            try context.users.announce(user)
            return try Self.shown(user, context)
        }
    }

    /// Changes a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has it.
    public func update(_ id: String, _ values: UserValues) async throws {
        if values.id != nil { throw UserValueError.unsupported("id") }
        try await performWithDeferredWork { context in
            guard var user = try context.users.find(id) else { return }
            try Self.apply(values, to: &user, context)
            try Self.applyAddresses(values, to: &user, context)
            if values.isDisabled == true { try context.sessions.revokeAll(of: user) }
            try context.users.save(&user)
        }
    }

    /// Returns the active sessions of a user.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The sessions, oldest first.
    /// - Throws: An error of the emulator's database.
    public func controlledSessions(of id: String) throws -> [ControlledSession] {
        try perform { context in
            guard let user = try context.users.find(id) else { return [] }
            return try context.sessions.live(of: user).map { session in
                ControlledSession(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastActiveAt,
                    userAgent: session.userAgent.isEmpty ? nil : session.userAgent, hasSecondFactor: session.secondFactorAt != nil
                )
            }
        }
    }

    /// Ends a session, as if the user had revoked the session on another device.
    ///
    /// - Returns: Whether there was an active session with this id.
    /// - Throws: An error of the emulator's database.
    public func endSession(_ id: String) throws -> Bool {
        try perform { context in
            guard var session = try context.sessions.find(id), session.isLive else { return false }
            try context.sessions.end(&session, .revoked)
            return true
        }
    }

    /// Opens a session for a user, on a new client.
    ///
    /// The handover of the session contains a ticket for `signIn.create({ strategy: "ticket" })`. A browser test can
    /// sign in with this ticket.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - secondFactor: Whether the user has completed a second factor in the session.
    /// - Throws: `UserValueError` if the user does not exist, or if the settings do not allow such a session.
    public func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession {
        let ticket = try signInTicket(for: id)
        return try await performWithDeferredWork { context in
            guard var user = try context.users.find(id) else { throw Self.noSuchUser }
            var client = try context.clients.make()
            let session = try context.sessions.begin(
                &user, on: &client, strategy: "ticket", hasSecondFactor: secondFactor, userAgent: "lockstep")
            let token = try context.sessionTokens.token(of: session, user: user, audience: .none)
            return OpenedSession(
                accessToken: Secret(token), refreshToken: Secret(client.token),
                expiresAt: context.now + context.settings.tokenLifetime,
                handover: [
                    "ticket": .string(ticket.reveal()), "clientToken": .string(client.token), "sessionID": .string(session.id),
                ])
        }
    }

    private static func shown(_ user: UserRecord, _ context: RequestContext) throws -> ControlledUser {
        let rows = try context.users.identifications(of: user)
        func primary(_ kind: IdentificationRecord.Kind, _ id: String?) -> IdentificationRecord? {
            rows.first { $0.id.exact == id?.exact } ?? rows.last { $0.kind == kind }
        }
        let email = primary(.email, user.primaryEmailID)
        let phone = primary(.phone, user.primaryPhoneID)
        var shown = ControlledUser(id: user.id)
        shown.email = email?.value
        shown.isEmailConfirmed = email?.isVerified ?? false
        shown.phone = phone?.value
        shown.isPhoneConfirmed = phone?.isVerified ?? false
        let names = [user.firstName, user.lastName].compactMap(\.self)
        shown.displayName = names.isEmpty ? nil : names.joined(separator: " ")
        shown.photoURL = user.imageURL
        shown.isDisabled = user.isBanned
        shown.hasPassword = user.passwordDigest != nil
        shown.userMetadata = user.unsafeMetadata
        shown.appMetadata = user.publicMetadata
        shown.privateMetadata = user.privateMetadata
        shown.identities = try context.users.externalAccounts(of: user).reversed().map {
            .init(provider: "oauth_" + $0.provider, subject: $0.subject ?? "")
        }
        shown.factors = factors(of: user, rows)
        shown.createdAt = user.createdAt
        shown.lastSignInAt = user.lastSignInAt
        return shown
    }

    private static func apply(_ values: UserValues, to user: inout UserRecord, _ context: RequestContext) throws {
        if let name = values.displayName {
            // The first word is the first name, as in Clerk's own import of a single name.
            let words = name.pieces(at: " ", maxSplits: 1)
            user.firstName = words.first.map { String($0) }
            user.lastName = words.dropFirst().first.map { String($0) }
        }
        if let photo = values.photoURL { user.imageURL = photo.isEmpty ? nil : photo }
        if let isDisabled = values.isDisabled { user.isBanned = isDisabled }
        user.unsafeMetadata = values.userMetadata ?? user.unsafeMetadata
        user.publicMetadata = values.appMetadata ?? user.publicMetadata
        user.privateMetadata = values.privateMetadata ?? user.privateMetadata
        guard let password = values.password else { return }
        do {
            user.passwordDigest = try context.digest(of: password.reveal())
        } catch let error as PasswordError {
            throw UserValueError(error)
        }
        user.passwordHasher = ClerkHasher.bcrypt.rawValue
        user.passwordUpdatedAt = context.now
        user.isPasswordCompromised = false
    }

    private static func applyAddresses(_ values: UserValues, to user: inout UserRecord, _ context: RequestContext) throws {
        if values.email != nil || values.isEmailConfirmed != nil {
            let text = try values.email.map { text throws(UserValueError) -> String in
                if text.isEmpty { return "" }
                guard let email = EmailAddress(text) else { throw .invalid("email", expected: "an address") }
                return email.text
            }
            try set(.email, text, isConfirmed: values.isEmailConfirmed, "email", &user, context)
        }
        if values.phone != nil || values.isPhoneConfirmed != nil {
            let text = try values.phone.map { text throws(UserValueError) -> String in
                if text.isEmpty { return "" }
                guard let number = PhoneNumber(text) else { throw .invalid("phone", expected: "a number such as +15550100") }
                return number.text
            }
            try set(.phone, text, isConfirmed: values.isPhoneConfirmed, "phone", &user, context)
        }
    }

    /// Sets or removes a user's primary address or number, or sets whether it is verified.
    private static func set(
        _ kind: IdentificationRecord.Kind, _ value: String?, isConfirmed: Bool?, _ name: String, _ user: inout UserRecord,
        _ context: RequestContext
    ) throws {
        let rows = try context.users.identifications(of: user).filter { $0.kind == kind }
        let primary = kind == .email ? user.primaryEmailID : user.primaryPhoneID
        var current = rows.first { $0.id.exact == primary?.exact } ?? rows.last
        if let value, value != current?.value {
            if let other = try context.users.claimed(kind, value), other.userID.exact != user.id.exact {
                throw UserValueError.taken(name)
            }
            if let old = current {
                try context.db.run("DELETE FROM identifications WHERE id = \(old.id)")
                if kind == .email { user.primaryEmailID = nil } else { user.primaryPhoneID = nil }
                current = nil
            }
            guard !value.isEmpty else { return }
            if var other = rows.first(where: { $0.value == value }) {
                try setProven(isConfirmed, &other, context)
                if kind == .email { user.primaryEmailID = other.id } else { user.primaryPhoneID = other.id }
                return
            }
            let isProven = isConfirmed ?? false
            // A reserved address needs no verification, so a user with a password can sign in with it.
            _ = try context.users.add(
                kind, value, to: &user, verification: isProven ? .given(by: "admin") : nil, isReserved: !isProven)
        } else if var row = current {
            try setProven(isConfirmed, &row, context)
        }
    }

    private static func setProven(_ isConfirmed: Bool?, _ row: inout IdentificationRecord, _ context: RequestContext) throws {
        guard let isConfirmed, isConfirmed != row.isVerified else { return }
        row.verification = isConfirmed ? .given(by: "admin") : nil
        row.isReserved = !isConfirmed
        try context.db.save(row)
    }
}
