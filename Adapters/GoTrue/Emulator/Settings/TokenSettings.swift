public import LockstepPrimitives

/// Access tokens.
public struct TokenSettings: Sendable {
    /// The shared secret (`GOTRUE_JWT_SECRET`).
    public var secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
    /// Life in seconds (`GOTRUE_JWT_EXP`).
    public var life = 3600
    /// `aud` (`GOTRUE_JWT_AUD`).
    public var audience = "authenticated"
    /// `role` of new users (`GOTRUE_JWT_DEFAULT_GROUP_NAME`).
    public var role = "authenticated"
    /// Roles that may use the administrator's endpoints (`GOTRUE_JWT_ADMIN_ROLES`).
    public var adminRoles = ["service_role", "supabase_admin"]
    /// `iss` (`GOTRUE_JWT_ISSUER`); `nil` is the server's own address.
    public var issuer: String?
    /// `kid` of tokens signed with the secret (`GOTRUE_JWT_KEY_ID`).
    public var keyID: String?
    /// Private JSON Web Keys, exactly one of which signs (`GOTRUE_JWT_KEYS`).
    public var keys: Secret?

    mutating func read(_ environment: inout EnvironmentReader) {
        if let text = environment.text("GOTRUE_JWT_SECRET") { secret = Secret(text) }
        environment.number("GOTRUE_JWT_EXP", into: &life)
        environment.text("GOTRUE_JWT_AUD", into: &audience)
        environment.text("GOTRUE_JWT_DEFAULT_GROUP_NAME", into: &role)
        environment.list("GOTRUE_JWT_ADMIN_ROLES", into: &adminRoles)
        issuer = environment.text("GOTRUE_JWT_ISSUER") ?? issuer
        keyID = environment.text("GOTRUE_JWT_KEY_ID") ?? keyID
        if let text = environment.text("GOTRUE_JWT_KEYS") { keys = Secret(text) }
    }
}
