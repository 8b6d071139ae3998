internal import LockstepCrypto
public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Users and sessions for the control routes, in the project of the settings.
extension FirebaseAdministrator {
    /// Returns a page of a list of users.
    ///
    /// - Throws: An error of the emulator's database.
    public func users(_ listing: UserListing) throws -> [ControlledUser] {
        try perform { context in try context.users.all(listing).map(Self.shown) }
    }

    /// Returns the number of users on all pages of a list.
    ///
    /// - Throws: An error of the emulator's database.
    public func userCount(_ listing: UserListing) throws -> Int { try perform { context in try context.users.count(listing) } }

    /// Returns the user with an id.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user; `nil` if no user has this id.
    /// - Throws: An error of the emulator's database.
    public func controlledUser(_ id: String) throws -> ControlledUser? {
        try perform { context in try context.users.find(id).map(Self.shown) }
    }

    /// Creates a user.
    ///
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has the same value.
    public func make(_ values: UserValues) async throws -> ControlledUser {
        try await performWithDeferredWork { context in
            if let id = values.id {
                guard (1...LockstepFirebaseEmulator.User.longestID).contains(id.utf8.count) else {
                    throw UserValueError.invalid("id", expected: "a text of 1 to 128 bytes")
                }
                guard try context.users.find(id) == nil else { throw UserValueError.taken("id") }
            }
            var user = LockstepFirebaseEmulator.User(localID: values.id ?? context.newID())
            user.createdAt = context.now.milliseconds
            try Self.apply(values, to: &user, context)
            try context.users.create(user)
            return Self.shown(user)
        }
    }

    /// Changes a user; in strict mode, a new password ends the user's sessions.
    ///
    /// - Throws: `UserValueError` if a value is invalid, or if another user already has the same value.
    public func update(_ id: String, _ values: UserValues) async throws {
        if values.id != nil { throw UserValueError.unsupported("id") }
        try await performWithDeferredWork { context in
            guard var user = try context.users.find(id) else { return }
            try Self.apply(values, to: &user, context)
            try context.users.update(user)
        }
    }

    /// Returns the sessions of a user.
    ///
    /// In emulator mode the list is empty, because each refresh token contains all data of its session.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The sessions, oldest first.
    /// - Throws: ``UserValueError/unavailable(_:)`` in emulator mode.
    public func controlledSessions(of id: String) throws -> [ControlledSession] {
        try requireSessions()
        return try perform { context in
            guard let user = try context.users.find(id) else { return [] }
            let rows = try context.db.all(
                SessionRow.self, "space = \(context.scope.id) AND local_id = \(id) ORDER BY created_at, token")
            return rows.filter { $0.createdAt.seconds >= user.validSince ?? 0 }.map { row in
                ControlledSession(id: Self.name(of: row.token), createdAt: row.createdAt, hasSecondFactor: row.factorID != nil)
            }
        }
    }

    /// Ends a session, and deletes its refresh token.
    ///
    /// - Returns: Whether there was an active session with this id.
    /// - Throws: ``UserValueError/unavailable(_:)`` in emulator mode.
    public func endSession(_ id: String) throws -> Bool {
        try requireSessions()
        return try perform { context in
            let rows = try context.db.all(SessionRow.self, "space = \(context.scope.id)")
            guard let row = rows.first(where: { Self.name(of: $0.token).exact == id.exact }) else { return false }
            try context.db.delete(SessionRow.self, "token = \(row.token)")
            return true
        }
    }

    /// Opens a session for a user, as a sign-in with a password does.
    ///
    /// The handover of the session contains the key and the value that Firebase's JavaScript SDK stores in a browser.
    ///
    /// - Parameters:
    ///   - secondFactor: Whether the user has completed a second factor in the session.
    /// - Throws: `UserValueError` if the user does not exist, or if the settings do not allow such a session.
    public func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession {
        let key = state.settings.apiKey
        return try await performWithDeferredWork { context in
            guard var user = try context.users.find(id) else {
                throw UserValueError.invalid("id", expected: "the id of a user")
            }
            let factor = secondFactor ? user.factors?.first : nil
            if secondFactor, factor == nil {
                throw UserValueError.unavailable("This user has no second factor. Add a second factor first.")
            }
            user.lastLoginAt = context.now.milliseconds
            let grant = Grant(
                provider: ProviderID.password,
                secondFactor: factor.map { .init(id: $0.id, kind: $0.phone == nil ? "totp" : "phone") })
            let tokens = try context.tokens.issue(to: &user, grant)
            try context.users.update(user)
            let (access, refresh) = (tokens["idToken"]?.string ?? "", tokens["refreshToken"]?.string ?? "")
            let expiresAt = context.now + .seconds(IDTokenClaims.lifetime)
            return OpenedSession(
                accessToken: Secret(access), refreshToken: Secret(refresh), expiresAt: expiresAt,
                handover: [
                    "storageKey": .string("firebase:authUser:\(key):[DEFAULT]"),
                    "user": Self.stored(user, key: key, access: access, refresh: refresh, until: expiresAt),
                ])
        }
    }

    /// Returns the user as Firebase's JavaScript SDK stores it (`packages/auth/src/core/user/user_impl.ts`, `toJSON`).
    private static func stored(
        _ user: LockstepFirebaseEmulator.User, key: String, access: String, refresh: String, until end: Instant
    ) -> JSON {
        [
            "uid": .string(user.localID), "email": .text(user.email), "emailVerified": .bool(user.emailVerified ?? false),
            "displayName": .text(user.displayName), "isAnonymous": .bool(user.isAnonymous),
            "photoURL": .text(user.photoURL), "phoneNumber": .text(user.phoneNumber), "tenantId": .text(user.tenantID),
            "providerData": .array(
                (user.identities ?? []).map { identity in
                    [
                        "providerId": .string(identity.providerID), "uid": .string(identity.rawID),
                        "email": .text(identity.email),
                        "displayName": .text(identity.displayName), "photoURL": .text(identity.photoURL),
                        "phoneNumber": .text(identity.phoneNumber),
                    ]
                }),
            "stsTokenManager": [
                "refreshToken": .string(refresh), "accessToken": .string(access), "expirationTime": .int(end.milliseconds),
            ], "createdAt": .text(user.createdAt.map { String($0) }), "lastLoginAt": .text(user.lastLoginAt.map { String($0) }),
            "apiKey": .string(key), "appName": "[DEFAULT]",
        ]
    }

    private static func shown(_ user: LockstepFirebaseEmulator.User) -> ControlledUser {
        var shown = ControlledUser(id: user.localID)
        shown.email = user.email
        shown.isEmailConfirmed = user.emailVerified ?? false
        shown.phone = user.phoneNumber
        // Firebase stores no unverified number.
        shown.isPhoneConfirmed = user.phoneNumber != nil
        shown.displayName = user.displayName
        shown.photoURL = user.photoURL
        shown.isAnonymous = user.isAnonymous
        shown.isDisabled = user.isDisabled ?? false
        shown.hasPassword = user.password != nil
        shown.appMetadata = user.customAttributes.flatMap { (try? JSON.parse($0))?.object } ?? [:]
        shown.identities = (user.identities ?? []).map { .init(provider: $0.providerID, subject: $0.rawID) }
        shown.factors = (user.factors ?? []).map { .init($0) }
        shown.createdAt = user.createdAt.map { Instant(milliseconds: $0) }
        shown.lastSignInAt = user.lastLoginAt.map { Instant(milliseconds: $0) }
        return shown
    }

    private static func apply(
        _ values: UserValues, to user: inout LockstepFirebaseEmulator.User, _ context: RequestContext
    ) throws {
        if values.userMetadata != nil { throw UserValueError.unsupported("userMetadata") }
        if values.privateMetadata != nil { throw UserValueError.unsupported("privateMetadata") }
        if values.isPhoneConfirmed == false { throw UserValueError.unsupported("phoneConfirmed") }
        if let text = values.email, text != user.email {
            let email = Formats.canonical(text)
            if text.isEmpty {
                user.removeEmail()
            } else {
                guard Formats.isEmail(email) else { throw UserValueError.invalid("email", expected: "an address") }
                if let other = try context.users.find(email: email), other.localID.exact != user.localID.exact {
                    throw UserValueError.taken("email")
                }
                user.email = email
                user.emailVerified = false
            }
        }
        if let isConfirmed = values.isEmailConfirmed { user.emailVerified = isConfirmed }
        if let number = values.phone {
            guard number.isEmpty || Formats.isPhoneNumber(number, isStrict: true) else {
                throw UserValueError.invalid("phone", expected: "a number such as +15550100")
            }
            let other = number.isEmpty ? nil : try context.users.find(phoneNumber: number)
            if let other, other.localID.exact != user.localID.exact { throw UserValueError.taken("phone") }
            user.phoneNumber = number.isEmpty ? nil : number
        }
        if let name = values.displayName { user.displayName = name.isEmpty ? nil : name }
        if let photo = values.photoURL { user.photoURL = photo.isEmpty ? nil : photo }
        if let isDisabled = values.isDisabled { user.isDisabled = isDisabled }
        if let claims = values.appMetadata { user.customAttributes = try SeededUsers.claims(claims) }
        if let password = values.password { user.setPassword(try context.passwords.hash(password.reveal()), at: context.now) }
        user.settleIdentities()
    }

    private func requireSessions() throws {
        guard state.mode == .strict else {
            throw UserValueError.unavailable(
                "Firebase's emulator keeps no sessions. Start the server in strict mode to list them.")
        }
    }

    /// Returns the name of a session in the control routes, because its token must not be in a URL.
    private static func name(of token: String) -> String { Hex.encode(HashFunction.sha256.digest(token).prefix(16)) }
}
