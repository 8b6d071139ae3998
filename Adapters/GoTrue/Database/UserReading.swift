internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

/// A second factor as its row has it.
public struct GoTrueStoredFactor: Sendable, Hashable {
    /// The kinds of second factor; passkeys cannot be moved.
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
    /// Users in the form in which the server's API shows them, their hashes, and whether they are banned.
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
            coalesce(u.encrypted_password, ''), coalesce(u.banned_until > now(), false)
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
    /// Reads a row of ``GoTrueDatabase/users(where:)``; times are cut to milliseconds.
    init(_ row: PostgresRow) throws(AuthError) {
        let (text, password, isBanned) = try AuthError.reading { () throws(PostgresError) -> (String, String, Bool) in
            (try row[0], try row[1], try row[2])
        }
        guard let object = try? JSON.parse(Array(text.utf8)).object else {
            throw AuthError(.invalidResponse, "A row of auth.users cannot be read.")
        }
        try self.init(goTrue: object, now: .distantPast)
        isDisabled = isBanned
        hasPassword = !password.isEmpty
        passwordHash = password.isEmpty || password.isServerEncrypted ? nil : Secret(password)
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
                case "totp": .authenticatorApp(secret: secret.isEmpty || secret.isServerEncrypted ? nil : Secret(secret))
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
    var isServerEncrypted: Bool { hasPrefix("{") }
}
