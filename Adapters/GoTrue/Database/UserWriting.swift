internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPostgres
internal import LockstepPrimitives

/// The rows of a new user, checked before anything is sent.
struct NewRow: Sendable {
    private let new: NewGoTrueUser
    private let email: String?
    /// Without the plus sign, as the server keeps it.
    private let phone: String?
    private let password: String
    private let userMetadata: JSONObject
    private let createdAt: Instant

    /// - Throws: `unsupported`, `invalidInput`, `invalidEmail`, `invalidPhone`, `weakPassword` for a password that bcrypt would cut off.
    init(_ new: NewGoTrueUser, _ database: GoTrueDatabase) throws(AuthError) {
        let user = new.user
        try user.check(database.features, of: "GoTrue's database")
        if let id = user.id, !GoTrueDatabase.isUUID(id) {
            throw AuthError(.invalidInput, "GoTrue's ids are UUIDs, which this one is not.")
        }
        self.new = new
        email = try user.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = try user.phone.map { number throws(AuthError) in try Self.digits(number) }
        password =
            switch user.password {
            case .text(let text): try Self.hashed(text, database)
            case .hash(let hash): try Self.checked(hash)
            case nil: ""
            }
        userMetadata = Self.metadata(user.userMetadata, user.displayName, user.photoURL)
        createdAt = user.createdAt ?? database.clock.now
        for factor in new.factors { _ = try Self.columns(of: factor) }
        for identity in new.identities where ["email", "phone"].contains(identity.provider) || identity.subject.isEmpty {
            throw AuthError(
                .invalidInput,
                "An identity has a provider's name and that provider's id of the person; address and number have their own.")
        }
    }

    /// Writes the user, the identities and the factors.
    ///
    /// - Returns: the id.
    func insert(_ connection: PostgresConnection) throws(PostgresError) -> String {
        let user = new.user
        let id: PostgresStatement = if let id = user.id { "\(id)::uuid" } else { "gen_random_uuid()" }
        let confirmed = (email != nil && user.isEmailConfirmed) ? new.emailConfirmedAt ?? createdAt : nil
        let proven = (phone != nil && user.isPhoneConfirmed) ? new.phoneConfirmedAt ?? createdAt : nil
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
                '00000000-0000-0000-0000-000000000000', \(id), 'authenticated', 'authenticated', \(.text(email)), \(password),
                \(.time(confirmed)), \(.text(phone)), \(.time(proven)), '', '', '', '', '', '', '', '',
                \(.time(user.lastSignInAt)), \(.json(appMetadata)), \(.json(userMetadata)), \(.time(createdAt)), \(.time(createdAt)),
                \(banEnd), \(new.isAnonymous))
            RETURNING id::text
            """)
        guard let row = outcome.rows.first else { throw PostgresError(.mismatch, "A trigger has left the row out.") }
        let userID: String = try row[0]
        for identity in identities(of: userID) { try connection.run(insertion(of: identity, userID)) }
        for factor in new.factors { try connection.run(insertion(of: factor, userID)) }
        return userID
    }

    private var appMetadata: JSONObject {
        var names = new.identities.map(\.provider)
        if hasOwnAddress { names.insert("email", at: 0) }
        if phone != nil { names.append("phone") }
        var known: [JSON] = []
        for name in names where !known.contains(.string(name)) { known.append(.string(name)) }
        var members: JSONObject = [:]
        if let first = known.first { members = ["provider": first, "providers": .array(known)] }
        for member in new.user.appMetadata { members[member.name] = member.value }
        return members
    }

    /// Whether the address is a sign-in method of its own, and no mere copy of what a provider says.
    private var hasOwnAddress: Bool { email != nil && (!password.isEmpty || new.identities.isEmpty) }

    private var banEnd: PostgresStatement {
        if let end = new.bannedUntil { return .time(end) }
        return new.user.isDisabled ? Self.forever : "NULL"
    }

    /// The server has no ban without end; this is a hundred years, as ``GoTrueDirectory`` asks for.
    static let forever: PostgresStatement = "now() + interval '876000 hours'"

    private func identities(of userID: String) -> [NewGoTrueUser.ProviderIdentity] {
        var all = new.identities
        if hasOwnAddress { all.append(.address(of: userID, email: email, isProven: new.user.isEmailConfirmed)) }
        if phone != nil { all.append(.address(of: userID, phone: phone, isProven: new.user.isPhoneConfirmed)) }
        return all
    }

    private func insertion(of identity: NewGoTrueUser.ProviderIdentity, _ userID: String) -> PostgresStatement {
        """
        INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
        VALUES (\(identity.subject), \(userID)::uuid, \(.json(identity.row)), \(identity.provider),
            \(.time(new.user.lastSignInAt)), \(.time(createdAt)), \(.time(createdAt)))
        """
    }

    private func insertion(of factor: GoTrueStoredFactor, _ userID: String) throws(PostgresError) -> PostgresStatement {
        guard let columns = try? Self.columns(of: factor) else { throw PostgresError(.mismatch, "A factor cannot be written.") }
        return """
            INSERT INTO auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
            VALUES (gen_random_uuid(), \(userID)::uuid, \(.text(factor.friendlyName)), \(columns.type)::auth.factor_type,
                \(factor.isVerified ? "verified" : "unverified")::auth.factor_status, \(.text(columns.secret)),
                \(.text(columns.phone)), \(.time(factor.createdAt ?? createdAt)), \(.time(factor.createdAt ?? createdAt)))
            """
    }

    private static func columns(
        of factor: GoTrueStoredFactor
    ) throws(AuthError) -> (type: String, secret: String?, phone: String?) {
        switch factor.kind {
        case .authenticatorApp(let secret?) where !secret.isEmpty && !secret.reveal().isSealed:
            return ("totp", secret.reveal(), nil)
        case .authenticatorApp:
            throw AuthError(
                .invalidInput, "A factor of an app needs its secret in plain text: what a server has encrypted only it can read.")
        case .phone(let number): return ("phone", nil, try digits(number))
        case .other(let type):
            throw AuthError(.unsupported, "A factor of type \(type) cannot be carried over: the user adds it again.")
        }
    }

    // MARK: Values

    /// A hash that GoTrue verifies.
    static func checked(_ hash: Secret) throws(AuthError) -> String {
        do {
            return try PasswordHash(goTrue: hash.reveal()).text
        } catch {
            throw AuthError(.invalidInput, "GoTrue does not take this hash. \(error.message) Let the user set a new password.")
        }
    }

    static func hashed(_ password: Secret, _ database: GoTrueDatabase) throws(AuthError) -> String {
        do {
            return try PasswordHasher.bcrypt(.real, randomness: database.randomness).hash(password).text
        } catch {
            throw AuthError(.weakPassword, "GoTrue cannot keep this password. \(error.message)")
        }
    }

    static func digits(_ number: String) throws(AuthError) -> String {
        let digits = number.hasPrefix("+") ? String(number.dropFirst()) : ""
        guard (2...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0"
        else {
            throw AuthError(.invalidPhone, "A number is written in E.164 form: +4915112345678.")
        }
        return digits
    }

    /// Name and photo have no columns of their own.
    static func metadata(_ members: JSONObject, _ name: String?, _ photo: String?) -> JSONObject {
        var members = members
        if let name { members["display_name"] = name.isEmpty ? .null : .string(name) }
        if let photo { members["avatar_url"] = photo.isEmpty ? .null : .string(photo) }
        return members
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

    /// What the column holds: the data with the provider's id in it, without which the server refuses the row.
    var row: JSONObject {
        var row = data
        row["sub"] = .string(subject)
        return row
    }
}

/// Changes of a row, checked before anything is sent.
struct RowChange: Sendable {
    private var changes = DirectoryChanges()
    private var password: String?
    private var email: String?
    private var phone: String?

    init(_ changes: DirectoryChanges, _ database: GoTrueDatabase) throws(AuthError) {
        self.changes = changes
        email = try changes.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = try changes.phone.map { number throws(AuthError) in try NewRow.digits(number) }
        password = try changes.password.map { text throws(AuthError) in try NewRow.hashed(text, database) }
    }

    init(passwordHash: String) { password = passwordHash }

    /// - Returns: whether there is such a user.
    func apply(to id: String, _ connection: PostgresConnection) throws(PostgresError) -> Bool {
        var statement: PostgresStatement = "UPDATE auth.users SET updated_at = now()"
        if let email { statement = "\(statement), email = \(email)" }
        if let phone { statement = "\(statement), phone = \(phone)" }
        if let isProven = changes.isEmailConfirmed {
            let time: PostgresStatement = isProven ? "coalesce(email_confirmed_at, now())" : "NULL"
            statement = "\(statement), email_confirmed_at = \(time)"
        }
        if let isProven = changes.isPhoneConfirmed {
            let time: PostgresStatement = isProven ? "coalesce(phone_confirmed_at, now())" : "NULL"
            statement = "\(statement), phone_confirmed_at = \(time)"
        }
        if let password { statement = "\(statement), encrypted_password = \(password)" }
        if let isDisabled = changes.isDisabled {
            statement = "\(statement), banned_until = \(isDisabled ? NewRow.forever : "NULL")"
        }
        let own = NewRow.metadata(changes.userMetadata, changes.displayName, changes.photoURL)
        if !own.isEmpty { statement = "\(statement), raw_user_meta_data = \(.merging(own, into: "raw_user_meta_data"))" }
        if !changes.appMetadata.isEmpty {
            statement = "\(statement), raw_app_meta_data = \(.merging(changes.appMetadata, into: "raw_app_meta_data"))"
        }
        let rows = try connection.run(
            "\(statement) WHERE id = \(id)::uuid RETURNING email_confirmed_at IS NOT NULL, phone_confirmed_at IS NOT NULL"
        ).rows
        guard let row = rows.first else { return false }
        let (isEmailProven, isPhoneProven): (Bool, Bool) = (try row[0], try row[1])
        if let email { try follow(.address(of: id, email: email, isProven: isEmailProven), id, connection) }
        if let phone { try follow(.address(of: id, phone: phone, isProven: isPhoneProven), id, connection) }
        // As the server does at a new password; their refresh tokens go with them.
        if password != nil { try connection.run("DELETE FROM auth.sessions WHERE user_id = \(id)::uuid") }
        return true
    }

    /// The identity of an address or a number goes with it.
    private func follow(
        _ identity: NewGoTrueUser.ProviderIdentity, _ id: String, _ connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.run(
            """
            INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
            VALUES (\(id), \(id)::uuid, \(.json(identity.row)), \(identity.provider), now(), now())
            ON CONFLICT (provider_id, provider) DO UPDATE SET
                identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now()
            """)
    }
}

extension PostgresStatement {
    /// A text, or `NULL`.
    fileprivate static func text(_ text: String?) -> PostgresStatement {
        if let text { "\(text)" } else { "NULL" }
    }

    /// A time, or `NULL`.
    fileprivate static func time(_ time: Instant?) -> PostgresStatement {
        if let time { "to_timestamp((\(time.milliseconds) / 1000.0)::float8)" } else { "NULL" }
    }

    fileprivate static func json(_ object: JSONObject) -> PostgresStatement { "\(JSON.object(object).text())::jsonb" }

    /// Members set in a column, and those that are `null` removed from it.
    fileprivate static func merging(_ members: JSONObject, into column: PostgresStatement) -> PostgresStatement {
        let kept = JSONObject(members.filter { $0.value != .null }.map { ($0.name, $0.value) })
        return members.filter { $0.value == .null }.reduce("(coalesce(\(column), '{}'::jsonb) || \(.json(kept)))") {
            "\($0) - \($1.name)"
        }
    }
}
