internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPasswords
internal import LockstepPostgres
internal import LockstepPrimitives

/// The rows of a new user, checked before anything is sent.
struct NewUserRecord: Sendable {
    /// The user's id: made here where none is given, so that a user whose answer is lost can be looked up.
    let id: String
    private let new: NewGoTrueUser
    private let email: String?
    /// Without the plus sign, as the server keeps it.
    private let phone: String?
    private var password: StoredPassword
    private let userMetadata: JSONObject
    private let factors: [FactorColumns]
    private let createdAt: Instant

    /// - Throws: `unsupported`, `invalidInput`, `invalidEmail`, `invalidPhone`, `weakPassword` for a password that bcrypt would cut off.
    init(_ new: NewGoTrueUser, _ database: GoTrueDatabase) throws(AuthError) {
        let user = new.user
        try user.check(database.features, of: "GoTrue's database")
        guard let id = GoTrueDirectory.uuid(user.id ?? database.randomness.uuid()) else {
            throw AuthError(.invalidInput, "GoTrue's ids are UUIDs, which this one is not.")
        }
        self.id = id
        self.new = new
        email = try user.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = try user.phone.map { number throws(AuthError) in try Self.digits(number) }
        password =
            switch user.password {
            case .text(let text): try StoredPassword(text, database)
            case .hash(let hash): .hash(try Self.checked(hash))
            case nil: .hash("")
            }
        userMetadata = GoTrueDirectory.metadata(user.userMetadata, user.displayName, user.photoURL)
        createdAt = user.createdAt ?? database.clock.now
        factors = try new.factors.map { factor throws(AuthError) in try FactorColumns(factor) }
        try Self.check(new, now: database.clock.now)
    }

    /// Refuses what would be written otherwise than it is meant, or as a user who can never sign in.
    private static func check(_ new: NewGoTrueUser, now: Instant) throws(AuthError) {
        let user = new.user
        let times = [user.createdAt, user.lastSignInAt, new.emailConfirmedAt, new.phoneConfirmedAt, new.bannedUntil]
        let isEmpty = user.email == nil && user.phone == nil && new.identities.isEmpty
        let problem: String? =
            if new.emailConfirmedAt != nil, !user.isEmailConfirmed || user.email == nil {
                "emailConfirmedAt is given for an address that is not confirmed."
            } else if new.phoneConfirmedAt != nil, !user.isPhoneConfirmed || user.phone == nil {
                "phoneConfirmedAt is given for a number that is not confirmed."
            } else if user.isDisabled, let end = new.bannedUntil, end <= now {
                "The user is disabled, and bannedUntil has passed."
            } else if isEmpty != new.isAnonymous {
                "A guest has no address, number and identity, and any other user has one of them."
            } else if times.compactMap(\.self).contains(where: { !NewDirectoryUser.writableTimes.contains($0) }) {
                "Times are of the years 1 to 9999."
            } else if Set(new.identities.map { [$0.provider, $0.subject] }).count < new.identities.count {
                "An identity is given twice."
            } else {
                nil
            }
        if let problem { throw AuthError(.invalidInput, problem) }
        for identity in new.identities { try identity.check() }
    }

    /// The record with its password hashed; blocks the thread.
    func hashingPassword() throws(PostgresError) -> NewUserRecord {
        var record = self
        record.password = .hash(try password.hashed())
        return record
    }

    /// Writes the user, the identities and the factors.
    func insert(_ connection: PostgresConnection) throws(PostgresError) {
        let user = new.user
        let emailConfirmed = user.isEmailConfirmed && email != nil ? new.emailConfirmedAt ?? createdAt : nil
        let phoneConfirmed = user.isPhoneConfirmed && phone != nil ? new.phoneConfirmedAt ?? createdAt : nil
        // Look-ups of the server filter by the instance, and its reader takes no NULL in the columns of tokens
        // (https://github.com/supabase/auth/issues/1940).
        let outcome = try connection.run(
            """
            INSERT INTO auth.users (
                instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, phone, phone_confirmed_at,
                confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current,
                phone_change, phone_change_token, reauthentication_token,
                last_sign_in_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, banned_until, is_anonymous)
            VALUES (
                '00000000-0000-0000-0000-000000000000', \(id)::uuid, \(new.audience), \(new.role), \(.text(email)),
                \(try password.hashed()), \(.time(emailConfirmed)), \(.text(phone)), \(.time(phoneConfirmed)),
                '', '', '', '', '', '', '', '',
                \(.time(user.lastSignInAt)), \(.json(appMetadata)), \(.json(userMetadata)), \(.time(createdAt)), now(),
                \(banEnd), \(new.isAnonymous))
            """)
        guard outcome.count == 1 else { throw PostgresError(.mismatch, "A trigger on auth.users leaves the row out.") }
        for identity in identities { try connection.run(insertion(of: identity)) }
        for factor in factors { try connection.run(insertion(of: factor)) }
    }

    private var appMetadata: JSONObject {
        var names = new.identities.map(\.provider)
        if needsEmailIdentity { names.insert("email", at: 0) }
        if needsPhoneIdentity { names.append("phone") }
        var known: [JSON] = []
        for name in names where !known.contains(.string(name)) { known.append(.string(name)) }
        var members: JSONObject = [:]
        if let first = known.first { members = ["provider": first, "providers": .array(known)] }
        for member in new.user.appMetadata { members[member.name] = member.value }
        return members
    }

    private var needsEmailIdentity: Bool {
        email != nil && (new.hasEmailIdentity ?? (new.user.password != nil || new.identities.isEmpty))
    }

    private var needsPhoneIdentity: Bool { phone != nil && new.hasPhoneIdentity ?? true }

    private var banEnd: PostgresStatement {
        if let end = new.bannedUntil { return .time(end) }
        return new.user.isDisabled ? Self.indefiniteBanEnd : "NULL"
    }

    /// The server has no ban without end; this is a hundred years, as ``GoTrueDirectory`` asks for.
    static let indefiniteBanEnd: PostgresStatement = "now() + interval '876000 hours'"

    private var identities: [NewGoTrueUser.ProviderIdentity] {
        var all = new.identities
        if needsEmailIdentity { all.append(.address(of: id, email: email, isProven: new.user.isEmailConfirmed)) }
        if needsPhoneIdentity { all.append(.address(of: id, phone: phone, isProven: new.user.isPhoneConfirmed)) }
        return all
    }

    private func insertion(of identity: NewGoTrueUser.ProviderIdentity) -> PostgresStatement {
        """
        INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
        VALUES (\(identity.subject), \(id)::uuid, \(.json(identity.row)), \(identity.provider),
            \(.time(identity.lastSignInAt ?? new.user.lastSignInAt)), \(.time(identity.createdAt ?? createdAt)), now())
        """
    }

    /// The server's reader takes no NULL in a factor's name and secret.
    private func insertion(of factor: FactorColumns) -> PostgresStatement {
        """
        INSERT INTO auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
        VALUES (gen_random_uuid(), \(id)::uuid, \(factor.name), \(factor.type)::auth.factor_type,
            \(factor.status)::auth.factor_status, \(factor.secret), \(.text(factor.phone)),
            \(.time(factor.createdAt ?? createdAt)), now())
        """
    }

    // MARK: Values

    /// A hash that GoTrue verifies, and that its column holds.
    static func checked(_ hash: Secret) throws(AuthError) -> String {
        let text = try GoTrueDirectory.checked(hash)
        guard text.utf8.count <= 255 else {
            throw AuthError(.invalidInput, "GoTrue keeps hashes of up to 255 characters. Let the user set a new password.")
        }
        return text
    }

    static func digits(_ number: String) throws(AuthError) -> String {
        let digits = number.hasPrefix("+") ? String(number.dropFirst()) : ""
        guard (2...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0"
        else {
            throw AuthError(.invalidPhone, "A number is written in E.164 form: +4915112345678.")
        }
        return digits
    }
}

/// A password on its way to its column.
enum StoredPassword: Sendable {
    case hash(String)
    case text(Secret, any Randomness)

    /// - Throws: `weakPassword` for a password that bcrypt does not take whole.
    init(_ password: Secret, _ database: GoTrueDatabase) throws(AuthError) {
        self = .text(try GoTrueDirectory.hashable(password), database.randomness)
    }

    /// What the column holds; takes about 50 ms for a text, and blocks the thread.
    func hashed() throws(PostgresError) -> String {
        switch self {
        case .hash(let hash): return hash
        case .text(let password, let randomness):
            guard let hash = try? PasswordHasher.bcrypt(.real, randomness: randomness).hash(password) else {
                throw PostgresError(.mismatch, "The password cannot be hashed.")
            }
            return hash.text
        }
    }
}

/// The columns of a second factor.
private struct FactorColumns: Sendable {
    let type: String
    let status: String
    let name: String
    var secret = ""
    var phone: String?
    let createdAt: Instant?

    init(_ factor: GoTrueStoredFactor) throws(AuthError) {
        status = factor.isVerified ? "verified" : "unverified"
        name = factor.friendlyName ?? ""
        createdAt = factor.createdAt
        switch factor.kind {
        case .authenticatorApp(let secret):
            type = "totp"
            self.secret = String((secret?.reveal() ?? "").uppercased().filter { $0 != " " && $0 != "=" })
            guard !self.secret.isEmpty, self.secret.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) })
            else {
                throw AuthError(
                    .invalidInput,
                    "A factor of an app needs its secret in base 32; what a server has encrypted only that server can read.")
            }
        case .phone(let number):
            type = "phone"
            phone = try NewUserRecord.digits(number)
        case .other(let type):
            throw AuthError(.unsupported, "A factor of type \(type) cannot be carried over: the user adds it again.")
        }
    }
}

extension NewGoTrueUser.ProviderIdentity {
    /// The identity that an address or a number is.
    static func address(of userID: String, email: String? = nil, phone: String? = nil, isProven: Bool) -> Self {
        var data: JSONObject = [:]
        if let email { data["email"] = .string(email) }
        if let phone { data["phone"] = .string(phone) }
        data["email_verified"] = .bool(email != nil && isProven)
        data["phone_verified"] = .bool(phone != nil && isProven)
        return Self(email == nil ? "phone" : "email", subject: userID, data: data)
    }

    /// Refuses what the server would not find.
    fileprivate func check() throws(AuthError) {
        if provider.hasPrefix("sso:") {
            throw AuthError(
                .unsupported, "A user of single sign-on is made by the identity provider's next sign-in, and not by a row.")
        }
        guard !subject.isEmpty, !provider.isEmpty, !["email", "phone"].contains(provider), !provider.hasPrefix("oauth_"),
            !provider.contains(".") || provider.hasPrefix("custom:")
        else {
            throw AuthError(
                .invalidInput,
                "An identity has GoTrue's name of the provider (google, apple, …) and that provider's id of the person; address and number have their own."
            )
        }
    }

    /// What the column holds: the data with the provider's id in it, without which the server refuses the row.
    var row: JSONObject {
        var row = data
        row["sub"] = .string(subject)
        return row
    }
}

extension PostgresStatement {
    /// A text, or `NULL`.
    static func text(_ text: String?) -> PostgresStatement {
        if let text { "\(text)" } else { "NULL" }
    }

    /// A time, or `NULL`.
    static func time(_ time: Instant?) -> PostgresStatement {
        if let time { "to_timestamp((\(time.milliseconds) / 1000.0)::float8)" } else { "NULL" }
    }

    static func json(_ object: JSONObject) -> PostgresStatement { "\(JSON.object(object).text())::jsonb" }

    /// Members set in a column, and those that are `null` removed from it; what is no object there is replaced.
    static func merging(_ members: JSONObject, into column: PostgresStatement) -> PostgresStatement {
        let kept = JSONObject(members.filter { $0.value != .null }.map { ($0.name, $0.value) })
        let base: PostgresStatement = "CASE WHEN jsonb_typeof(\(column)) = 'object' THEN \(column) ELSE '{}'::jsonb END"
        return members.filter { $0.value == .null }.reduce("(\(base) || \(.json(kept)))") { "\($0) - \($1.name)" }
    }
}
