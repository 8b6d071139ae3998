internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

/// A second factor as its row has it.
public struct GoTrueStoredFactor: Sendable, Hashable {
    /// The kinds whose secret a row holds; a passkey's row is of no use elsewhere.
    public enum Kind: Sendable, Hashable {
        /// Codes of an app: the secret in base 32 (SHA-1, six digits, 30 seconds); `nil` where the server has encrypted it.
        case authenticatorApp(secret: Secret?)
        /// Codes by text message to a number in E.164 form.
        case phone(String)
        /// Any other, by the server's word.
        case other(String)
    }

    /// What it is.
    public var kind: Kind
    /// The name to show; no two factors of a user have the same.
    public var friendlyName: String?
    /// Whether the user has proven it once.
    public var isVerified: Bool
    /// When it was added.
    public var createdAt: Instant?

    /// A factor.
    public init(_ kind: Kind, friendlyName: String? = nil, isVerified: Bool = true, createdAt: Instant? = nil) {
        self.kind = kind
        self.friendlyName = friendlyName
        self.isVerified = isVerified
        self.createdAt = createdAt
    }
}

extension GoTrueDatabase {
    /// Users in the form in which the server's API shows them, and their hashes.
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
            'is_sso_user', u.is_sso_user, 'is_anonymous', u.is_anonymous)::text, coalesce(u.encrypted_password, '')
        FROM auth.users u WHERE \(condition)
        """
    }

    static func factors(of id: String) -> PostgresStatement {
        """
        SELECT factor_type::text, coalesce(secret, ''), coalesce(phone, ''), coalesce(friendly_name, ''), status::text,
            (extract(epoch FROM created_at) * 1000)::bigint
        FROM auth.mfa_factors WHERE user_id = \(id)::uuid ORDER BY created_at, id
        """
    }
}

extension DirectoryUser {
    /// Reads a row of ``GoTrueDatabase/users(where:)``.
    init(_ row: PostgresRow, now: Instant) throws(AuthError) {
        let (text, password) = try AuthError.reading { () throws(PostgresError) -> (String, String) in (try row[0], try row[1]) }
        guard let object = try? JSON.parse(Array(text.utf8)).object else {
            throw AuthError(.invalidResponse, "A row of auth.users cannot be read.")
        }
        try self.init(goTrue: object, now: now)
        hasPassword = !password.isEmpty
        passwordHash = password.isEmpty || password.isSealed ? nil : Secret(password)
    }
}

extension GoTrueStoredFactor {
    /// Reads a row of ``GoTrueDatabase/factors(of:)``.
    init(_ row: PostgresRow) throws(AuthError) {
        self = try AuthError.reading { () throws(PostgresError) -> GoTrueStoredFactor in
            let (type, secret, phone): (String, String, String) = (try row[0], try row[1], try row[2])
            let (name, status, created): (String, String, Int64) = (try row[3], try row[4], try row[5])
            let kind: Kind =
                switch type {
                case "totp": .authenticatorApp(secret: secret.isEmpty || secret.isSealed ? nil : Secret(secret))
                case "phone": .phone(phone.hasPrefix("+") ? phone : "+" + phone)
                default: .other(type)
                }
            return GoTrueStoredFactor(
                kind, friendlyName: name.isEmpty ? nil : name, isVerified: status == "verified",
                createdAt: Instant(milliseconds: created))
        }
    }
}

extension String {
    /// Whether the server has encrypted it with a key of its own, which no row holds (supabase/auth, internal/crypto): it is of no use
    /// elsewhere.
    var isSealed: Bool { hasPrefix("{") }
}

extension AuthError {
    /// Reads columns of a row.
    fileprivate static func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(AuthError) -> Value {
        do throws(PostgresError) { return try body() } catch { throw AuthError(error) }
    }

    /// What PostgreSQL refused, by the constraints and the states that GoTrue's schema has.
    init(_ error: PostgresError) {
        let detail = ProviderDetail(code: error.state?.rawValue, message: error.message)
        func refusal(_ code: Code, _ sentence: String, retry: RetryAdvice = .never) -> AuthError {
            AuthError(code, sentence, retry: retry, provider: detail)
        }
        self =
            switch (error.kind, error.state?.rawValue ?? "") {
            case (.invalidAddress, _): refusal(.invalidConfiguration, error.message)
            case (.disconnected, _): refusal(.network, "The database cannot be reached, or the connection broke.", retry: .now)
            case (.timedOut, _): refusal(.timedOut, "The database did not answer in time.", retry: .now)
            case (.exhausted, _): refusal(.timedOut, "All connections were in use. Allow more in the settings.", retry: .now)
            case (.cancelled, _): .cancelled
            case (.mismatch, _): refusal(.invalidResponse, "A row has other columns than GoTrue's schema.")
            case (.refused, "23505"): .taken(error, detail)
            case (.refused, "23503"):
                refusal(.invalidInput, "A table of the app's still refers to this user. Remove its rows first.")
            case (.refused, "22001"), (.refused, "22P02"), (.refused, "22P05"), (.refused, "23514"), (.refused, "23502"):
                refusal(.invalidInput, "A column does not take a value: \(error.message).")
            case (.refused, "42P01"), (.refused, "42703"), (.refused, "3F000"), (.refused, "42704"):
                refusal(.invalidConfiguration, "This database has no schema `auth` of a GoTrue server: \(error.message).")
            case (.refused, "42501"):
                refusal(.invalidConfiguration, "The role of the connection string may not do this: \(error.message).")
            case (.refused, _) where error.isPassing:
                refusal(.serverUnavailable, "The database takes no writes at the moment.", retry: .now)
            case (.refused, _):
                refusal(.unknown, "The database refused a row; a trigger of the app's may have: \(error.message).")
            }
    }

    private static func taken(_ error: PostgresError, _ detail: ProviderDetail) -> AuthError {
        let codes: [(constraint: String, Code, String)] = [
            ("users_email_partial_key", .emailAlreadyInUse, "Another account has this address."),
            ("users_phone_key", .phoneAlreadyInUse, "Another account has this number."),
            ("identities_provider_id_provider_unique", .identityAlreadyInUse, "Another account has this identity."),
            ("users_pkey", .invalidInput, "Another user has this id. Nothing was overwritten."),
            ("mfa_factors", .invalidInput, "Two factors of a user have one name."),
        ]
        for (constraint, code, sentence) in codes where error.message.contains(constraint) {
            return AuthError(code, sentence, provider: detail)
        }
        return AuthError(.invalidInput, "A value is taken: \(error.message).", provider: detail)
    }
}
