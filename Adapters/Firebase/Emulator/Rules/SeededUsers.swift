internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes users of a seed as rows of the project, and reads rows as users of a seed.
struct SeededUsers {
    let context: RequestContext

    /// Writes a user who has an id; the rows are new.
    ///
    /// - Throws: ``UserValueError`` for a value that Firebase cannot store.
    func write(_ seeded: SeedUser) throws {
        try Self.requirePlaces(for: seeded)
        guard let id = seeded.id, (1...User.longestID).contains(id.utf8.count) else {
            throw UserValueError.invalid("id", expected: "a text of 1 to 128 bytes")
        }
        let createdAt = seeded.createdAt ?? context.now
        var user = User(localID: id)
        user.createdAt = createdAt.milliseconds
        user.lastLoginAt = seeded.lastSignInAt?.milliseconds
        try setAddresses(of: &user, seeded)
        user.displayName = seeded.displayName
        user.photoURL = seeded.photoURL
        user.isDisabled = seeded.isDisabled ? true : nil
        user.customAttributes = try Self.claims(seeded.appMetadata)
        if let hash = seeded.passwordHash {
            user.setPassword(try storedPassword(hash), at: seeded.passwordChangedAt ?? createdAt)
        }
        if let time = seeded.sessionsValidSince { user.validSince = time.seconds }
        let identities = try seeded.identities.map(Self.identity)
        guard Set(identities.map(\.providerID.exact)).count == identities.count else {
            throw UserValueError.invalid("identities", expected: "one identity of each provider")
        }
        user.settleIdentities(adding: identities)
        // A user without another way signs in with a custom token.
        user.isCustomAuth = !seeded.isAnonymous && user.isAnonymous
        try UserValueError.naming("factors") { try FirebaseAdministrator.add(seeded.factors, to: &user, context) }
        try context.users.insert(user)
        for session in seeded.sessions { try write(session, of: user) }
    }

    private static func requirePlaces(for seeded: SeedUser) throws(UserValueError) {
        // Firebase stores no unverified number.
        if seeded.phone != nil, !seeded.isPhoneConfirmed { throw .unsupported("phoneConfirmed") }
        try seeded.requirePlaces([
            "anonymous", "passwordChangedAt", "sessionsValidSince", "identities.displayName", "identities.photoURL",
        ])
    }

    private func setAddresses(of user: inout User, _ seeded: SeedUser) throws {
        if let text = seeded.email {
            let email = Formats.canonical(text)
            guard Formats.isEmail(email) else { throw UserValueError.invalid("email", expected: "an address") }
            user.email = email
            user.emailVerified = seeded.isEmailConfirmed
        }
        if let number = seeded.phone {
            guard Formats.isPhoneNumber(number, isStrict: true) else {
                throw UserValueError.invalid("phone", expected: "a number such as +15550100")
            }
            user.phoneNumber = number
        }
    }

    /// Returns the text of claims; `nil` for none.
    static func claims(_ metadata: JSONObject) throws(UserValueError) -> String? {
        guard !metadata.isEmpty else { return nil }
        let text = JSON.object(metadata).text()
        do throws(APIError) {
            try CustomClaims.check(text: text)
        } catch {
            throw .invalid("appMetadata", expected: "claims of at most 1,000 characters, without names of tokens such as \"sub\"")
        }
        return text
    }
}

// Passwords and identities.
extension SeededUsers {
    /// The literal form of Firebase's emulator, which hashes nothing.
    private static let openPrefix = "fakeHash:salt="

    private func storedPassword(_ hash: Secret) throws(UserValueError) -> StoredPassword {
        let text = hash.reveal()
        if text.hasPrefix(Self.openPrefix) {
            let salt = text.dropFirst(Self.openPrefix.count).cut(at: ":").head
            return StoredPassword(hash: text, salt: String(salt))
        }
        guard let read = try? PasswordHash(text), let form = read.firebaseImport,
            let hashing = try? FirebaseHashing(form.parameters)
        else {
            throw .invalid("passwordHash", expected: "a hash that accounts:batchCreate accepts, such as $2b$ or $fbscrypt$")
        }
        return context.state.passwords.imported(form.passwordHash, salt: form.salt, .known(hashing))
    }

    private func hash(of password: StoredPassword) -> Secret? {
        if password.hash.hasPrefix(Self.openPrefix) { return Secret(password.hash) }
        return context.state.passwords.hashes(of: password).first.map { Secret($0.text) }
    }

    private static func identity(_ seeded: SeedIdentity) throws(UserValueError) -> Identity {
        let members: [(String, WritableKeyPath<Identity, String?>)] = identityMembers
        let isOwn = [ProviderID.password, ProviderID.phone].contains(seeded.provider)
        guard !isOwn else {
            throw .invalid("identities.provider", expected: "an identity provider; \"email\" and \"phone\" say the rest")
        }
        let provider = shortNames.contains(seeded.provider) ? seeded.provider + ".com" : seeded.provider
        var identity = Identity(
            providerID: provider, rawID: seeded.subject, federatedID: seeded.subject, email: seeded.email)
        for (name, value) in seeded.data {
            guard let path = members.first(where: { $0.0 == name })?.1 else { throw .unsupported("identities.data.\(name)") }
            guard value.isNull || value.string != nil else { throw .invalid("identities.data.\(name)", expected: "a string") }
            identity[keyPath: path] = value.string
        }
        identity.displayName = seeded.displayName ?? identity.displayName
        identity.photoURL = seeded.photoURL ?? identity.photoURL
        return identity
    }

    private static var identityMembers: [(String, WritableKeyPath<Identity, String?>)] {
        [
            ("federatedId", \.federatedID), ("displayName", \.displayName), ("photoUrl", \.photoURL),
            ("phoneNumber", \.phoneNumber), ("screenName", \.screenName),
        ]
    }

    /// Providers whose name in Firebase ends with `.com`.
    private static let shortNames = ["apple", "facebook", "github", "google", "linkedin", "microsoft", "twitter", "yahoo"]

    private static func read(_ identity: Identity) -> SeedIdentity {
        let short = identity.providerID.hasSuffix(".com") ? String(identity.providerID.dropLast(4)) : identity.providerID
        var data: JSONObject = [:]
        for (name, path) in identityMembers { data[name] = identity[keyPath: path].map(JSON.string) }
        let isPlain = identity.federatedID?.exact == identity.rawID.exact
        data["federatedId"] = isPlain ? JSON?.none : data["federatedId"] ?? .null
        // They are separate members on every provider.
        for name in ["displayName", "photoUrl"] { data[name] = JSON?.none }
        var seeded = SeedIdentity(
            provider: shortNames.contains(short) ? short : identity.providerID, subject: identity.rawID, email: identity.email,
            data: data)
        (seeded.displayName, seeded.photoURL) = (identity.displayName, identity.photoURL)
        return seeded
    }
}

// Sessions.
extension SeededUsers {
    private func write(_ seeded: SeedSession, of user: User) throws {
        guard context.isStrict else {
            throw UserValueError.unavailable(
                "Firebase's emulator keeps no sessions. Leave \"sessions\" out, or start the server with --mode strict.")
        }
        let unkept: [(String, Bool)] = [
            ("sessions.id", seeded.id != nil), ("sessions.lastUsedAt", seeded.lastUsedAt != nil),
            ("sessions.userAgent", seeded.userAgent != nil), ("sessions.address", seeded.address != nil),
        ]
        for (name, isGiven) in unkept where isGiven { throw UserValueError.unsupported(name) }
        let factor = seeded.hasSecondFactor ? user.factors?.first : nil
        if seeded.hasSecondFactor, factor == nil {
            throw UserValueError.unavailable(
                "A session has a second factor, but the user has no second factor. Add it to \"factors\".")
        }
        let createdAt = seeded.createdAt ?? context.now
        try context.db.insert(
            SessionRow(
                token: seeded.refreshToken?.reveal() ?? "AMf-" + context.newToken("refresh token", bytes: 96),
                space: context.scope.id, localID: user.localID, provider: seeded.method ?? ProviderID.password,
                factorID: factor?.id, factorKind: factor.map { $0.phone == nil ? "totp" : "phone" },
                authTime: createdAt.seconds, createdAt: createdAt))
    }

    private static func read(_ row: SessionRow) -> SeedSession {
        var seeded = SeedSession(
            refreshToken: Secret(row.token), createdAt: row.createdAt, hasSecondFactor: row.factorID != nil)
        seeded.method = row.provider == ProviderID.password ? nil : row.provider
        return seeded
    }
}

// Reading.
extension SeededUsers {
    /// Reads all users, in the order of their creation.
    func all() throws -> [SeedUser] {
        let rows = try context.db.all(SessionRow.self, "space = \(context.scope.id) ORDER BY created_at, token")
        let sessions = Dictionary(grouping: rows, by: \.localID.exact)
        let users = try context.users.all().sorted { ($0.createdAt ?? 0, $0.number ?? 0) < ($1.createdAt ?? 0, $1.number ?? 0) }
        return users.map { user in
            var seeded = read(user)
            seeded.sessions = (sessions[user.localID.exact] ?? []).filter { $0.createdAt.seconds >= user.validSince ?? 0 }.map(
                Self.read)
            return seeded
        }
    }

    private func read(_ user: User) -> SeedUser {
        var seeded = SeedUser()
        seeded.id = user.localID
        seeded.email = user.email
        seeded.isEmailConfirmed = user.email != nil && user.emailVerified == true
        seeded.phone = user.phoneNumber
        seeded.isPhoneConfirmed = user.phoneNumber != nil
        seeded.passwordHash = user.password.flatMap(hash)
        seeded.displayName = user.displayName
        seeded.photoURL = user.photoURL
        seeded.isDisabled = user.isDisabled ?? false
        seeded.appMetadata = user.customAttributes.flatMap { (try? JSON.parse($0))?.object } ?? [:]
        seeded.identities = (user.identities ?? [])
            .filter { ![ProviderID.password, ProviderID.phone].contains($0.providerID) }.map(Self.read)
        seeded.factors = (user.factors ?? []).map { factor in
            let kind =
                factor.phone.map { .phone($0) } ?? DirectoryFactor.Kind.authenticatorApp(secret: factor.secret.map { Secret($0) })
            var seeded = DirectoryFactor(kind, friendlyName: factor.displayName)
            seeded.id = factor.id
            return seeded
        }
        seeded.isAnonymous = user.isAnonymous
        seeded.createdAt = user.createdAt.map { Instant(milliseconds: $0) }
        if let changed = user.passwordUpdatedAt, user.password != nil, changed.milliseconds != user.createdAt {
            seeded.passwordChangedAt = changed
        }
        let usual = seeded.passwordHash == nil ? nil : (seeded.passwordChangedAt ?? seeded.createdAt)?.seconds
        if let since = user.validSince, since != usual { seeded.sessionsValidSince = Instant(seconds: since) }
        seeded.lastSignInAt = user.lastLoginAt.map { Instant(milliseconds: $0) }
        return seeded
    }
}
