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
    /// - Throws: ``UserValueError`` for a value that Clerk cannot store.
    func write(_ seeded: SeedUser) throws {
        try seeded.requirePlaces([
            "externalID", "userMetadata", "privateMetadata", "otherEmails", "otherPhones", "username", "firstName", "lastName",
            "locked", "factors.codes", "emailIdentity",
        ])
        guard let id = seeded.id, Self.isID(id, "user_") else {
            throw UserValueError.invalid("id", expected: "an id such as user_ada")
        }
        var user = UserRecord(id: id, at: seeded.createdAt ?? context.now)
        user.externalID = seeded.externalID
        if let name = seeded.displayName { (user.firstName, user.lastName) = Self.names(of: name) }
        if seeded.firstName != nil || seeded.lastName != nil {
            (user.firstName, user.lastName) = (seeded.firstName, seeded.lastName)
        }
        user.username = seeded.username?.lowercased()
        if seeded.isLocked { context.lockout.lock(&user) }
        user.imageURL = seeded.photoURL
        user.isBanned = seeded.isDisabled
        user.unsafeMetadata = seeded.userMetadata
        user.publicMetadata = seeded.appMetadata
        user.privateMetadata = seeded.privateMetadata
        user.lastSignInAt = seeded.lastSignInAt
        if let hash = seeded.passwordHash {
            guard let digest = (try? PasswordHash(hash.reveal()))?.clerkDigest else {
                throw UserValueError.invalid("passwordHash", expected: "a hash that Clerk has a hasher for, such as $2b$")
            }
            user.passwordDigest = digest.digest
            user.passwordHasher = digest.hasher.rawValue
            user.passwordUpdatedAt = user.createdAt
        }
        let rows = try addresses(of: seeded, &user)
        try context.db.insert(user)
        for row in rows { try context.db.insert(row) }
        for identity in seeded.identities { try write(identity, of: user, rows) }
        try UserValueError.naming("factors") {
            _ = try ClerkAdministrator.add(seeded.factors.filter(\.codes.isEmpty), to: &user, context)
        }
        // As for passwords, nothing of a seed is newer than its user.
        if user.mfaEnabledAt != nil {
            user.mfaEnabledAt = user.createdAt
            try context.db.save(user)
        }
        let codes = seeded.factors.flatMap(\.codes).map { $0.reveal() }
        if !codes.isEmpty { try context.secondFactors.setBackupCodes(codes, of: user) }
        for session in seeded.sessions { try write(session, of: user) }
    }

    /// Returns whether a text is the prefix followed by letters and digits.
    static func isID(_ text: String, _ prefix: String) -> Bool {
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        return text.hasPrefix(prefix) && (1...64).contains(rest.count) && rest.allSatisfy(\.isLetterOrDigit)
    }

    /// The first word is the first name, as in Clerk's own import of a single name.
    private static func names(of name: String) -> (first: String?, last: String?) {
        let words = name.pieces(at: " ", maxSplits: 1)
        return (words.first.map { String($0) }, words.dropFirst().first.map { String($0) })
    }

    /// The primary address and number, and the numbers of second factors.
    ///
    /// An unverified address is reserved, so that the user can sign in with it and a password, unless `emailIdentity` is false. The same
    /// seed always results in the same ids.
    private func addresses(of seeded: SeedUser, _ user: inout UserRecord) throws(UserValueError) -> [IdentificationRecord] {
        var rows: [IdentificationRecord] = []
        func row(_ kind: IdentificationRecord.Kind, _ value: String, _ isConfirmed: Bool) -> IdentificationRecord {
            IdentificationRecord(
                id: Self.derivedID(.identification, "\(user.id) \(kind.rawValue) \(value)"), userID: user.id, kind: kind,
                value: value,
                verification: isConfirmed ? .given(by: "admin") : nil,
                isReserved: !isConfirmed && (kind == .phone || seeded.hasEmailIdentity != false), createdAt: user.createdAt,
                updatedAt: user.createdAt)
        }
        if let text = seeded.email {
            guard let email = EmailAddress(text) else { throw .invalid("email", expected: "an address") }
            guard seeded.hasEmailIdentity != false || !seeded.isEmailConfirmed else {
                throw .invalid("emailIdentity", expected: "true, or an address that is not verified")
            }
            rows.append(row(.email, email.text, seeded.isEmailConfirmed))
            user.primaryEmailID = rows.last?.id
        }
        if let text = seeded.phone {
            guard let number = PhoneNumber(text) else { throw .invalid("phone", expected: "a number such as +15550100") }
            rows.append(row(.phone, number.text, seeded.isPhoneConfirmed))
            user.primaryPhoneID = rows.last?.id
        }
        let factorNumbers = seeded.factors.compactMap { factor -> String? in
            if case .phone(let text) = factor.kind { text } else { nil }
        }
        let texts = Set(factorNumbers.map(\.exact))
        for other in seeded.otherEmails {
            guard let email = EmailAddress(other.value), other.confirmedAt == nil, !other.isSecondFactor else {
                throw .invalid("otherEmails", expected: "addresses without \"confirmedAt\" and \"secondFactor\"")
            }
            rows.append(row(.email, email.text, other.isConfirmed))
        }
        for other in seeded.otherPhones {
            guard let number = PhoneNumber(other.value), other.confirmedAt == nil else {
                throw .invalid("otherPhones", expected: "numbers such as +15550100 without \"confirmedAt\"")
            }
            let isFactor = texts.contains(other.value.exact)
            guard isFactor || !other.isSecondFactor else {
                throw .invalid("otherPhones", expected: "a number of \"factors\" for \"secondFactor\"")
            }
            if !isFactor { rows.append(row(.phone, number.text, other.isConfirmed)) }
        }
        var known = Set(rows.map(\.value.exact))
        for text in factorNumbers {
            guard let number = PhoneNumber(text)?.text, known.insert(number.exact).inserted else { continue }
            rows.append(row(.phone, number, true))
            user.primaryPhoneID = user.primaryPhoneID ?? rows.last?.id
        }
        return rows
    }

    private static func derivedID(_ kind: IdentifierKind, _ text: String) -> String {
        kind.prefix + "_" + Hex.encode(HashFunction.sha256.digest(text).prefix(14))
    }
}

// Accounts at identity providers.
extension SeededUsers {
    private func write(_ seeded: SeedIdentity, of user: UserRecord, _ rows: [IdentificationRecord]) throws {
        let prefix = "oauth_"
        let provider = seeded.provider.hasPrefix(prefix) ? String(seeded.provider.dropFirst(prefix.count)) : seeded.provider
        var account = ExternalAccountRecord(
            id: Self.derivedID(.externalAccount, "\(user.id) \(provider) \(seeded.subject)"),
            identificationID: Self.derivedID(.identification, "\(user.id) \(provider) \(seeded.subject)"), userID: user.id,
            provider: provider, subject: seeded.subject, email: seeded.email,
            linkedEmailID: rows.first { $0.kind == .email && $0.value == seeded.email?.lowercased() }?.id,
            scopes: Self.usualScopes,
            verification: Verification(object: "verification_oauth", strategy: prefix + provider, status: .verified),
            createdAt: user.createdAt, updatedAt: user.createdAt)
        for (name, value) in seeded.data {
            guard let text = value.string else { throw UserValueError.invalid("identities.data.\(name)", expected: "a string") }
            switch name {
            case "first_name": account.firstName = text
            case "last_name": account.lastName = text
            case "image_url": account.imageURL = text
            case "approved_scopes": account.scopes = text
            default: throw UserValueError.unsupported("identities.data.\(name)")
            }
        }
        try context.db.insert(account)
    }

    private static let usualScopes = "email profile"

    private static func read(_ account: ExternalAccountRecord) -> SeedIdentity {
        var data: JSONObject = [:]
        data["first_name"] = account.firstName.map(JSON.string)
        data["last_name"] = account.lastName.map(JSON.string)
        data["image_url"] = account.imageURL.map(JSON.string)
        data["approved_scopes"] = account.scopes == usualScopes ? JSON?.none : .string(account.scopes)
        return SeedIdentity(provider: account.provider, subject: account.subject ?? "", email: account.email, data: data)
    }
}

// Sessions.
extension SeededUsers {
    private func write(_ seeded: SeedSession, of user: UserRecord) throws {
        for (name, value) in [("sessions.method", seeded.method), ("sessions.address", seeded.address)] where value != nil {
            throw UserValueError.unsupported(name)
        }
        if let id = seeded.id, !Self.isID(id, "sess_") {
            throw UserValueError.invalid("sessions.id", expected: "an id such as sess_1")
        }
        let createdAt = seeded.createdAt ?? context.now
        let id = seeded.id ?? context.id(.session)
        var client = try client(seeded.refreshToken, at: createdAt)
        if !client.trustedUsers.contains(user.id) { client.trustedUsers.append(user.id) }
        client.lastActiveSessionID = id
        try context.db.save(client)
        try context.db.insert(
            SessionRecord(
                id: id, clientID: client.id, userID: user.id, status: .active,
                expireAt: createdAt + context.settings.sessionLifetime,
                abandonAt: (seeded.lastUsedAt ?? createdAt) + context.settings.sessionInactivity,
                lastActiveAt: seeded.lastUsedAt ?? createdAt, firstFactorAt: createdAt,
                secondFactorAt: seeded.hasSecondFactor ? createdAt : nil, tasks: [], userAgent: seeded.userAgent ?? "",
                createdAt: createdAt, updatedAt: createdAt))
    }

    /// Returns the client of a token: the client of an earlier session, or a new one.
    private func client(_ token: Secret?, at createdAt: Instant) throws -> ClientRecord {
        guard let token else { return try context.clients.make() }
        guard let kept = ClientToken.kept(token.reveal()), !kept.isEmpty else {
            throw UserValueError.invalid("sessions.refreshToken", expected: "a client token of Clerk, as GET /seed writes it")
        }
        if let client = try context.clients.find(token: token.reveal()) { return client }
        return ClientRecord(id: context.id(.client), token: token.reveal(), createdAt: createdAt, updatedAt: createdAt)
    }

    private static func read(_ session: SessionRecord, token: String?) -> SeedSession {
        var seeded = SeedSession(
            id: session.id, refreshToken: token.map { Secret($0) }, createdAt: session.createdAt,
            hasSecondFactor: session.secondFactorAt != nil)
        seeded.lastUsedAt = session.lastActiveAt == session.createdAt ? nil : session.lastActiveAt
        seeded.userAgent = session.userAgent.isEmpty ? nil : session.userAgent
        return seeded
    }
}

// Reading.
extension SeededUsers {
    /// Reads all users, sorted by age; each table is read once.
    func all() throws -> [SeedUser] {
        let rows = Dictionary(
            grouping: try context.db.all(IdentificationRecord.self, "1 = 1 ORDER BY created_at, rowid"), by: \.userID.exact)
        let accounts = Dictionary(
            grouping: try context.db.all(ExternalAccountRecord.self, "1 = 1 ORDER BY created_at, rowid"), by: \.userID.exact)
        let tokens = Dictionary(
            try context.db.all(ClientRecord.self, "1 = 1").map { ($0.id.exact, $0.token) }, uniquingKeysWith: { $1 })
        let live = try context.db.all(
            SessionRecord.self,
            """
            status IN ('active', 'pending') AND expire_at > \(context.now) AND abandon_at > \(context.now) \
            ORDER BY created_at, rowid
            """)
        let sessions = Dictionary(grouping: live, by: \.userID.exact)
        let codes = Dictionary(
            grouping: try context.db.all("SELECT user_id, code FROM backup_codes ORDER BY code") { row throws(SQLiteError) in
                (user: try row[0] as String, code: Secret(try row[1] as String))
            }, by: \.user.exact)
        return try context.db.all(UserRecord.self, "1 = 1 ORDER BY created_at, rowid").map { user in
            var seeded = Self.read(user, rows[user.id.exact] ?? [])
            if let codes = codes[user.id.exact]?.map(\.code) {
                var factor = DirectoryFactor(.backupCodes(count: codes.count))
                factor.codes = codes
                seeded.factors.append(factor)
            }
            seeded.isLocked = context.lockout.isLocked(user)
            seeded.identities = (accounts[user.id.exact] ?? []).map(Self.read)
            seeded.sessions = (sessions[user.id.exact] ?? []).map {
                Self.read($0, token: $0.clientID.flatMap { tokens[$0.exact] })
            }
            return seeded
        }
    }

    private static func read(_ user: UserRecord, _ rows: [IdentificationRecord]) -> SeedUser {
        func primary(_ kind: IdentificationRecord.Kind, _ id: String?) -> IdentificationRecord? {
            rows.first { $0.id.exact == id?.exact } ?? rows.first { $0.kind == kind }
        }
        let email = primary(.email, user.primaryEmailID)
        let phone = primary(.phone, user.primaryPhoneID)
        var seeded = SeedUser()
        seeded.id = user.id
        seeded.email = email?.value
        seeded.isEmailConfirmed = email?.isVerified ?? false
        if let email, !email.isVerified, !email.isReserved { seeded.hasEmailIdentity = false }
        seeded.phone = phone?.value
        seeded.isPhoneConfirmed = phone?.isVerified ?? false
        seeded.externalID = user.externalID
        if let digest = user.passwordDigest, let hasher = user.passwordHasher,
            let hash = try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: hasher))
        {
            seeded.passwordHash = Secret(hash.text)
        }
        if user.isTOTPVerified {
            seeded.factors.append(DirectoryFactor(.authenticatorApp(secret: user.totpSecret.map { Secret($0) })))
        }
        seeded.factors += rows.filter { $0.kind == .phone && $0.isSecondFactor }.map { DirectoryFactor(.phone($0.value)) }
        let names = [user.firstName, user.lastName].compactMap(\.self)
        seeded.displayName = names.isEmpty ? nil : names.joined(separator: " ")
        if Self.names(of: names.joined(separator: " ")) != (user.firstName, user.lastName) {
            (seeded.firstName, seeded.lastName) = (user.firstName, user.lastName)
        }
        seeded.username = user.username
        let others = rows.filter { ![email?.id, phone?.id].contains($0.id) && !$0.isSecondFactor }
        seeded.otherEmails = others.filter { $0.kind == .email }.map { DirectoryAddress($0.value, isConfirmed: $0.isVerified) }
        seeded.otherPhones = others.filter { $0.kind == .phone }.map { DirectoryAddress($0.value, isConfirmed: $0.isVerified) }
        seeded.photoURL = user.imageURL
        seeded.isDisabled = user.isBanned
        seeded.userMetadata = user.unsafeMetadata
        seeded.appMetadata = user.publicMetadata
        seeded.privateMetadata = user.privateMetadata
        seeded.createdAt = user.createdAt
        seeded.lastSignInAt = user.lastSignInAt
        return seeded
    }
}
