internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

extension GoTrueDatabase {
    /// Returns users in the format of the server's API, with their hashes, their bans, whether a ban is permanent, their
    /// factors with secrets, and their irregularities.
    static func users(where condition: PostgresStatement) -> PostgresStatement {
        """
        SELECT json_build_object(
            'id', u.id, 'aud', u.aud, 'role', u.role, 'email', u.email, 'email_confirmed_at', u.email_confirmed_at,
            'phone', u.phone, 'phone_confirmed_at', u.phone_confirmed_at, 'invited_at', u.invited_at,
            'last_sign_in_at', u.last_sign_in_at, 'app_metadata', u.raw_app_meta_data, 'user_metadata', u.raw_user_meta_data,
            'identities', (
                SELECT coalesce(json_agg(json_build_object(
                    'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
                    'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at,
                    'updated_at', i.updated_at, 'email', i.email) ORDER BY i.created_at, i.id), '[]')
                FROM auth.identities i WHERE i.user_id = u.id),
            'factors', (
                SELECT coalesce(json_agg(json_build_object(
                    'id', f.id, 'factor_type', f.factor_type, 'status', f.status, 'friendly_name', f.friendly_name,
                    'phone', f.phone, 'created_at', f.created_at, 'updated_at', f.updated_at) ORDER BY f.created_at, f.id), '[]')
                FROM auth.mfa_factors f WHERE f.user_id = u.id),
            'created_at', u.created_at, 'updated_at', u.updated_at, 'banned_until', u.banned_until,
            'is_sso_user', u.is_sso_user, 'is_anonymous', u.is_anonymous)::text,
            coalesce(u.encrypted_password, ''), coalesce(u.banned_until > now(), false),
            coalesce(u.banned_until > now() + interval '50 years', false), (
                SELECT coalesce(json_agg(json_build_object(
                    'factor_type', f.factor_type, 'status', f.status, 'friendly_name', f.friendly_name, 'phone', f.phone,
                    'secret', f.secret, 'created_at', f.created_at) ORDER BY f.created_at, f.id), '[]')
                FROM auth.mfa_factors f WHERE f.user_id = u.id)::text, u.id::text,
            array_to_json(array_remove(ARRAY[\(irregularities)], NULL))::text
        FROM auth.users u WHERE \(condition)
        """
    }

    /// The names of values because of which the server does not find, read or trust a user as it does others.
    private static let irregularities: PostgresStatement = missingColumns.reduce(
        """
        CASE WHEN u.instance_id IS DISTINCT FROM '00000000-0000-0000-0000-000000000000' THEN 'instance_id' END,
        CASE WHEN u.is_super_admin THEN 'is_super_admin' END,
        CASE WHEN EXISTS (
            SELECT 1 FROM auth.identities i
            WHERE i.user_id = u.id AND i.identity_data ->> 'sub' IS DISTINCT FROM i.provider_id)
            THEN 'identity_data.sub' END
        """
    ) { "\($0), \($1)" }

    /// For each column in which the server's reader requires a value (https://github.com/supabase/auth/issues/1940): the name if
    /// it is NULL.
    static let missingColumns = requiredColumns.map { "CASE WHEN u.\($0) IS NULL THEN '\($0)' END" as PostgresStatement }

    private static let requiredColumns: [PostgresStatement] = [
        "aud", "role", "confirmation_token", "recovery_token", "email_change", "email_change_token_current",
        "email_change_token_new", "email_change_confirm_status", "phone_change", "phone_change_token",
        "reauthentication_token", "created_at", "updated_at",
    ]
}

extension DirectoryUser {
    /// Reads a row of ``GoTrueDatabase/users(where:)``; times are rounded down to milliseconds.
    init(_ row: PostgresRow) throws(AuthError) {
        do {
            try self.init(readable: row)
        } catch  where error.code == .invalidResponse {
            let id = try AuthError.reading { () throws(PostgresError) -> String in try row[5] }
            var error = error
            error.message = "The row \"\(id)\" of auth.users cannot be read: correct its values. \(error.message)"
            throw error
        }
    }

    private init(readable row: PostgresRow) throws(AuthError) {
        let (text, password, factors) = try AuthError.reading { () throws(PostgresError) -> (String, String, String) in
            (try row[0], try row[1], try row[4])
        }
        let (isBanned, isBannedForGood) = try AuthError.reading { () throws(PostgresError) -> (Bool, Bool) in
            (try row[2], try row[3])
        }
        guard let object = try? JSON.parse(Array(text.utf8)).object, let list = try? JSON.parse(Array(factors.utf8)).array else {
            throw AuthError(.invalidResponse, "A value is not JSON, or too large.")
        }
        try self.init(goTrue: object, now: .distantPast)
        self.isDisabled = isBanned
        self.bannedUntil = isBanned && !isBannedForGood ? object["banned_until"]?.string.flatMap { Instant(rfc3339: $0) } : nil
        hasPassword = !password.isEmpty
        passwordHash = password.isEmpty || password.isServerEncrypted ? nil : Secret(password)
        missingHash = password.isEmpty ? .noPassword : password.isServerEncrypted ? .encryptedByServer : nil
        let irregular = try AuthError.reading { () throws(PostgresError) -> String in try row[6] }
        irregularities = (try? JSON.parse(Array(irregular.utf8)).array)?.compactMap(\.string) ?? []
        self.factors = list.compactMap { $0.object.map(DirectoryFactor.init(row:)) }
    }
}

extension DirectoryFactor {
    /// Reads a row of `auth.mfa_factors` as JSON.
    fileprivate init(row: JSONObject) {
        let secret = row["secret"]?.string ?? ""
        let phone = row["phone"]?.string ?? ""
        let kind: Kind =
            switch row["factor_type"]?.string ?? "" {
            case "totp": .authenticatorApp(secret: secret.isEmpty || secret.isServerEncrypted ? nil : Secret(secret))
            case "phone": .phone(phone.hasPrefix("+") ? phone : "+" + phone)
            case "webauthn": .passkey
            case let type: .other(type)
            }
        let name = row["friendly_name"]?.string ?? ""
        self.init(
            kind, friendlyName: name.isEmpty ? nil : name, isVerified: row["status"]?.string == "verified",
            createdAt: row["created_at"]?.string.flatMap { Instant(rfc3339: $0) })
    }
}

extension String {
    /// Whether the server has encrypted the secret with its own key.
    ///
    /// No row contains that key (supabase/auth, internal/crypto), so the secret is useless elsewhere.
    fileprivate var isServerEncrypted: Bool { hasPrefix("{") }
}
