internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes users of a seed as rows, and reads rows as users of a seed.
struct SeededUsers {
    let context: RequestContext

    /// Writes a user who has an id; the rows are new.
    ///
    /// - Throws: ``UserValueError`` for a value that GoTrue cannot store.
    func write(_ seeded: SeedUser) throws {
        try seeded.requirePlaces([
            "userMetadata", "emailConfirmedAt", "phoneConfirmedAt", "anonymous", "role", "audience", "bannedUntil",
            "singleSignOn", "emailIdentity", "phoneIdentity", "identities.createdAt",
            "identities.lastSignInAt",
        ])
        guard let id = seeded.id.flatMap(UUIDText.normal) else { throw UserValueError.invalid("id", expected: "a UUID") }
        let createdAt = seeded.createdAt ?? context.now
        var user = User(
            id: id, audience: seeded.audience ?? context.audience, role: seeded.role ?? context.settings.tokens.role,
            at: createdAt)
        user.lastSignInAt = seeded.lastSignInAt
        user.isAnonymous = seeded.isAnonymous
        user.isSSO = seeded.isSingleSignOn
        user.bannedUntil = seeded.isDisabled ? seeded.bannedUntil ?? context.now + Self.banOfDisabled : nil
        user.passwordHash = try seeded.passwordHash.map(Self.storedHash)
        if let email = seeded.email {
            user.email = try UserValueError.checking("email", "an address") { () throws(GoTrueError) in try Address.email(email) }
            if seeded.isEmailConfirmed { user.emailConfirmedAt = seeded.emailConfirmedAt ?? createdAt }
        }
        if let phone = seeded.phone {
            user.phone = try UserValueError.checking("phone", "a number such as +15550100") { () throws(GoTrueError) in
                try Address.phone(phone)
            }
            if seeded.isPhoneConfirmed { user.phoneConfirmedAt = seeded.phoneConfirmedAt ?? createdAt }
        }
        let identities = Self.ownIdentities(of: user, seeded) + seeded.identities.map { Self.identity($0, of: user) }
        user.userMetadata = Self.metadata(of: seeded, user)
        if !identities.isEmpty { user.setProviders(Self.providers(of: identities)) }
        for (name, value) in seeded.appMetadata { user.appMetadata[name] = value }
        try context.db.insert(user)
        for identity in identities { try context.db.insert(identity) }
        try UserValueError.naming("factors") { try GoTrueAdministrator.add(seeded.factors, to: &user, context) }
        for session in seeded.sessions { try write(session, of: user) }
    }

    /// GoTrue has no permanent ban.
    private static let banOfDisabled = Duration.seconds(876_000 * 3600)

    private static func storedHash(_ hash: Secret) throws(UserValueError) -> String {
        let text = hash.reveal()
        if text == Passwords.unknown { return text }
        guard let hash = (try? PasswordHash(goTrue: text))?.goTrueText else {
            throw .invalid("passwordHash", expected: "a hash of bcrypt, Argon2 or Firebase's scrypt")
        }
        return hash
    }
}

// Identities and metadata.
extension SeededUsers {
    /// Returns the identities of the user's own address and number, which a seed does not contain.
    private static func ownIdentities(of user: User, _ seeded: SeedUser) -> [Identity] {
        var identities: [Identity] = []
        if !user.email.isEmpty, seeded.hasEmailIdentity ?? true {
            let data = Identity.data(of: user.id, email: user.email, isVerified: user.isEmailConfirmed)
            identities.append(identity(of: user, "email", user.id, data))
        }
        if !user.phone.isEmpty, seeded.hasPhoneIdentity ?? true {
            let data = Identity.data(of: user.id, phone: user.phone, isVerified: user.isPhoneConfirmed)
            identities.append(identity(of: user, "phone", user.id, data))
        }
        return identities
    }

    private static func identity(_ seeded: SeedIdentity, of user: User) -> Identity {
        var data: JSONObject = ["sub": .string(seeded.subject)]
        if let email = seeded.email {
            data["email"] = .string(email)
            data["email_verified"] = true
        }
        User.merge(seeded.data, into: &data)
        var identity = identity(of: user, seeded.provider, seeded.subject, data)
        if let time = seeded.createdAt { (identity.createdAt, identity.updatedAt, identity.lastSignInAt) = (time, time, time) }
        if let time = seeded.lastSignInAt { identity.lastSignInAt = time }
        return identity
    }

    private static func identity(of user: User, _ provider: String, _ subject: String, _ data: JSONObject) -> Identity {
        Identity(
            id: UUIDText.derived(from: "\(user.id) \(provider) \(subject)"), userID: user.id, provider: provider,
            subject: subject, data: data, lastSignInAt: user.createdAt, createdAt: user.createdAt, updatedAt: user.createdAt)
    }

    private static func providers(of identities: [Identity]) -> [String] {
        var seen: Set<ExactString> = []
        return identities.map(\.provider).filter { seen.insert($0.exact).inserted }
    }

    /// Returns the metadata with the values that GoTrue stores there: name, picture, and whether the address is
    /// confirmed.
    private static func metadata(of seeded: SeedUser, _ user: User) -> JSONObject {
        var metadata: JSONObject = user.isEmailConfirmed ? ["email_verified": true] : [:]
        metadata["display_name"] = seeded.displayName.map(JSON.string)
        metadata["avatar_url"] = seeded.photoURL.map(JSON.string)
        User.merge(seeded.userMetadata, into: &metadata)
        return metadata
    }
}

// Sessions.
extension SeededUsers {
    private func write(_ seeded: SeedSession, of user: User) throws {
        let createdAt = seeded.createdAt ?? context.now
        let id = try seeded.id.map { text throws(UserValueError) in
            guard let id = UUIDText.normal(text) else { throw .invalid("sessions.id", expected: "a UUID") }
            return id
        }
        var session = Session(
            id: id ?? context.uuid(), userID: user.id, level: seeded.hasSecondFactor ? "aal2" : "aal1",
            address: seeded.address ?? "", agent: seeded.userAgent ?? "", refreshedAt: seeded.lastUsedAt, createdAt: createdAt,
            updatedAt: createdAt)
        let isSecondVersion = context.settings.refresh.version == 2
        if isSecondVersion {
            if seeded.refreshToken != nil { throw UserValueError.unsupported("sessions.refreshToken") }
            session.refreshKey = Hex.encode(context.randomness.bytes(32))
            session.refreshCounter = 0
        }
        try context.db.insert(session)
        let method = seeded.method.map(AuthenticationMethod.init(rawValue:)) ?? .password
        try context.db.addProof(method, to: session.id, at: createdAt)
        if seeded.hasSecondFactor { try context.db.addProof(.totp, to: session.id, at: createdAt) }
        guard !isSecondVersion else { return }
        let token = seeded.refreshToken?.reveal() ?? context.sessions.newRefreshToken()
        try context.db.insertRefreshToken(token, parent: nil, session: session, at: createdAt)
    }

    private static func read(_ session: Session, token: String?) -> SeedSession {
        var seeded = SeedSession(
            id: session.id, refreshToken: token.map { Secret($0) }, createdAt: session.createdAt,
            hasSecondFactor: session.isSecondFactor)
        seeded.lastUsedAt = session.refreshedAt
        seeded.userAgent = session.agent.isEmpty ? nil : session.agent
        seeded.address = session.address.isEmpty ? nil : session.address
        let method = session.proofs.last { !$0.method.isSecond }?.method
        seeded.method = method == .password ? nil : method?.rawValue
        return seeded
    }
}

// Reading.
extension SeededUsers {
    /// Reads all users, sorted by age; each user table is read once.
    func all() throws -> [SeedUser] {
        let identities = Dictionary(grouping: try context.db.all(Identity.self, "TRUE ORDER BY row"), by: \.userID.exact)
        let proofs = Dictionary(
            grouping: try context.db.all(SessionProof.self, "TRUE ORDER BY updated_at DESC"), by: \.sessionID.exact)
        let tokens = Dictionary(
            try context.db.all(RefreshToken.self, "revoked = 0 ORDER BY id").map { ($0.sessionID.exact, $0.token) }
        ) { $1 }
        var sessions: [ExactString: [SeedSession]] = [:]
        for var session in try context.db.all(Session.self, "TRUE ORDER BY row") {
            session.proofs = proofs[session.id.exact] ?? []
            sessions[session.userID.exact, default: []].append(Self.read(session, token: tokens[session.id.exact]))
        }
        let factors = Dictionary(grouping: try context.db.all(Factor.self, "TRUE ORDER BY row"), by: \.userID.exact)
        return try context.db.all(User.self, "deleted_at IS NULL ORDER BY row").map { user in
            var seeded = read(user, identities[user.id.exact] ?? [])
            seeded.factors = (factors[user.id.exact] ?? []).filter(\.isControlled).map(Self.read)
            seeded.sessions = sessions[user.id.exact] ?? []
            return seeded
        }
    }

    private func read(_ user: User, _ identities: [Identity]) -> SeedUser {
        var seeded = SeedUser()
        seeded.id = user.id
        seeded.email = user.email.isEmpty ? nil : user.email
        seeded.isEmailConfirmed = user.isEmailConfirmed
        seeded.emailConfirmedAt = user.emailConfirmedAt == user.createdAt ? nil : user.emailConfirmedAt
        seeded.phone = user.phone.isEmpty ? nil : "+" + user.phone
        seeded.isPhoneConfirmed = user.isPhoneConfirmed
        seeded.phoneConfirmedAt = user.phoneConfirmedAt == user.createdAt ? nil : user.phoneConfirmedAt
        seeded.passwordHash = user.passwordHash.map { Secret($0) }
        seeded.isDisabled = user.isBanned(at: context.now)
        if seeded.isDisabled, let end = user.bannedUntil, end < context.now + Self.banOfDisabled / 2 {
            seeded.bannedUntil = end
        }
        seeded.role = user.role == context.settings.tokens.role ? nil : user.role
        seeded.audience = user.audience == context.audience ? nil : user.audience
        seeded.isSingleSignOn = user.isSSO
        seeded.isAnonymous = user.isAnonymous
        seeded.createdAt = user.createdAt
        seeded.lastSignInAt = user.lastSignInAt
        let ownRows = identities.filter { $0.subject.exact == user.id.exact && ["email", "phone"].contains($0.provider) }
        let isMissing = { (name: String) in !ownRows.contains { $0.provider == name } }
        seeded.hasEmailIdentity = !user.email.isEmpty && isMissing("email") ? false : nil
        seeded.hasPhoneIdentity = !user.phone.isEmpty && isMissing("phone") ? false : nil
        seeded.identities = identities.filter { identity in !ownRows.contains { $0.id.exact == identity.id.exact } }.map {
            Self.read($0, of: user)
        }
        (seeded.displayName, seeded.photoURL, seeded.userMetadata) = Self.profile(of: user)
        var made = User(id: user.id, audience: user.audience, role: user.role, at: user.createdAt)
        let kept = Self.ownIdentities(of: user, seeded) + seeded.identities.map { Self.identity($0, of: user) }
        if !kept.isEmpty { made.setProviders(Self.providers(of: kept)) }
        let own = user.appMetadata.filter { made.appMetadata[$0.name] != $0.value }
        seeded.appMetadata = JSONObject(own.map { ($0.name, $0.value) })
        return seeded
    }

    private static func read(_ factor: Factor) -> DirectoryFactor {
        let kind: DirectoryFactor.Kind =
            factor.kind == .phone ? .phone("+" + factor.phone) : .authenticatorApp(secret: factor.secret.map { Secret($0) })
        var seeded = DirectoryFactor(kind, friendlyName: factor.name.isEmpty ? nil : factor.name)
        seeded.id = factor.id
        return seeded
    }

    private static func read(_ identity: Identity, of user: User) -> SeedIdentity {
        var data = identity.data
        let isPlain = data["sub"]?.string?.exact == identity.subject.exact
        data["sub"] = isPlain ? JSON?.none : data["sub"] ?? .null
        let email = data["email"]?.string
        if email != nil {
            data["email"] = JSON?.none
            data["email_verified"] = data["email_verified"] == true ? JSON?.none : data["email_verified"] ?? .null
        }
        var seeded = SeedIdentity(provider: identity.provider, subject: identity.subject, email: email, data: data)
        seeded.createdAt = identity.createdAt == user.createdAt ? nil : identity.createdAt
        seeded.lastSignInAt = identity.lastSignInAt == identity.createdAt ? nil : identity.lastSignInAt
        return seeded
    }

    /// Returns the name, the picture, and the rest of the metadata; `null` removes a member that ``metadata(of:_:)``
    /// adds.
    private static func profile(of user: User) -> (name: String?, photo: String?, rest: JSONObject) {
        var rest = user.userMetadata ?? [:]
        let name = rest["display_name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        if name != nil { rest["display_name"] = JSON?.none }
        let photo = rest["avatar_url"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        if photo != nil { rest["avatar_url"] = JSON?.none }
        if user.isEmailConfirmed {
            rest["email_verified"] = rest["email_verified"] == true ? JSON?.none : rest["email_verified"] ?? .null
        }
        return (name, photo, rest)
    }
}

extension UserValueError {
    /// Returns the result of `body`; an error of GoTrue becomes an error for the value.
    static func checking<Value>(
        _ name: String, _ expected: String, _ body: () throws(GoTrueError) -> Value
    ) throws(UserValueError) -> Value {
        do throws(GoTrueError) { return try body() } catch { throw .invalid(name, expected: expected) }
    }
}

extension UUIDText {
    /// Returns the UUID for a text, which is always the same.
    fileprivate static func derived(from text: String) -> String {
        normal(Hex.encode(HashFunction.sha256.digest(text).prefix(16))) ?? ""
    }
}
