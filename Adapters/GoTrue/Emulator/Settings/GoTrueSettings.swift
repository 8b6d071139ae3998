internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives

/// The server's settings, by GoTrue's own names.
///
/// The defaults are those of the server, or of the hosted platform if the server has none (audience and role `authenticated`).
/// Settings that a local server needs have working values.
public struct GoTrueSettings: Sendable, Hashable {
    /// The default target of links (`GOTRUE_SITE_URL`).
    public var siteURL = "http://localhost:3000"
    /// Glob patterns of further targets (`GOTRUE_URI_ALLOW_LIST`).
    public var allowedRedirects: [String] = []
    /// The address in links and tokens (`API_EXTERNAL_URL`); `nil` for the server's own address.
    public var externalURL: String?
    /// The settings of access tokens.
    public var tokens = TokenSettings()
    /// The sign-up and sign-in methods.
    public var signIn = SignInSettings()
    /// The settings of emails and their codes.
    public var mail = MailSettings()
    /// The settings of text messages and their codes.
    public var sms = SMSSettings()
    /// The settings of refresh tokens.
    public var refresh = RefreshSettings()
    /// The lifetimes of sessions.
    public var sessions = SessionSettings()
    /// The settings of passwords.
    public var passwords = PasswordSettings()
    /// The settings of second factors.
    public var factors = FactorSettings()
    /// Passkeys and WebAuthn's relying party.
    public var passkeys = PasskeySettings()
    /// The rate limits per caller and for the whole server.
    public var limits = LimitSettings()
    /// The hooks that the server calls.
    public var hooks = HookSettings()
    /// Whether a captcha token is required (`GOTRUE_SECURITY_CAPTCHA_ENABLED`).
    public var asksForCaptcha = false
    /// The configured identity providers, by name.
    public var providers: [String: ProviderSettings] = [:]
    /// Further issuers of ID tokens (`GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS`).
    public var allowedIssuers: [String] = []
    /// Request headers that a page of another origin may send besides the server's own (`GOTRUE_CORS_ALLOWED_HEADERS`).
    public var allowedHeaders: [String] = []
    /// The lifetime of a PKCE flow (`GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION`), at least 300 seconds.
    public var flowLife = Duration.seconds(300)

    /// `externalURL` by its other name.
    var secondExternalURL: String?
    /// The settings that the environment contains.
    public internal(set) var given = GivenNames()

    /// A sentence for each setting of the environment that has no effect here: unknown names and unsupported features.
    public internal(set) var notices: [String] = []

    /// Creates the default settings.
    public init() {}
}

/// The sign-up and sign-in methods.
public struct SignInSettings: Sendable, Hashable {
    /// The setting `GOTRUE_DISABLE_SIGNUP`.
    public var isSignUpDisabled = false
    /// The setting `GOTRUE_EXTERNAL_EMAIL_ENABLED`.
    public var allowsEmail = true
    /// The setting `GOTRUE_EXTERNAL_PHONE_ENABLED`.
    public var allowsPhone = false
    /// The setting `GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED`.
    public var allowsAnonymous = false
    /// The setting `GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`.
    public var allowsMagicLink = true
    /// The setting `GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`.
    public var allowsManualLinking = false
}

/// The lifetimes of sessions; `nil` means forever.
public struct SessionSettings: Sendable, Hashable {
    /// The setting `GOTRUE_SESSIONS_TIMEBOX`.
    public var life: Duration?
    /// The setting `GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`.
    public var idleLife: Duration?
    /// The lifetime of a session without the user's second factor (`GOTRUE_SESSIONS_ALLOW_LOW_AAL`).
    public var lowAssuranceLife: Duration?
    /// Whether a new sign-in revokes older sessions (`GOTRUE_SESSIONS_SINGLE_PER_USER`).
    public var isSinglePerUser = false
}

/// The settings of refresh tokens.
public struct RefreshSettings: Sendable, Hashable {
    /// Whether reusing a token ends its session (`GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`).
    public var punishesReuse = true
    /// The time during which a token may be reused (`GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`).
    public var reuseInterval = Duration.zero
    /// The setting `GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE`.
    public var allowsReuse = false
    /// The version of the algorithm: 1 (random strings with one row each) or 2 (signed counters of the session)
    /// (`GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION`).
    public var version = 1
}

/// The settings of access tokens.
public struct TokenSettings: Sendable, Hashable {
    /// The shared secret (`GOTRUE_JWT_SECRET`).
    public var secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
    /// The lifetime in seconds (`GOTRUE_JWT_EXP`).
    public var life = 3600
    /// The claim `aud` (`GOTRUE_JWT_AUD`).
    public var audience = "authenticated"
    /// The claim `role` of new users (`GOTRUE_JWT_DEFAULT_GROUP_NAME`).
    public var role = "authenticated"
    /// Roles that may use the administrator's endpoints (`GOTRUE_JWT_ADMIN_ROLES`).
    public var adminRoles = ["service_role", "supabase_admin"]
    /// The claim `iss` (`GOTRUE_JWT_ISSUER`); `nil` for the server's own address.
    ///
    /// If it is empty, tokens have no issuer, like those of a real server without the variable.
    public var issuer: String?
    /// The `kid` of tokens that are signed with the secret (`GOTRUE_JWT_KEY_ID`).
    public var keyID: String?
    /// The private JSON Web Keys, of which exactly one signs (`GOTRUE_JWT_KEYS`).
    public var keys: Secret?
    /// The accepted algorithms of tokens (`GOTRUE_JWT_VALID_METHODS`); if empty, those of the keys, or HS256.
    public var methods: [String] = []
    /// The project's publishable key for the gateway (`SUPABASE_PUBLISHABLE_KEY`), which begins with `sb_publishable_`; `nil`
    /// derives one from the secret.
    public var publishableKey: String?
    /// The project's secret key for the gateway (`SUPABASE_SECRET_KEY`), which begins with `sb_secret_`; `nil` derives one from
    /// the secret.
    public var secretKey: Secret?
}

/// The settings of passwords.
public struct PasswordSettings: Sendable, Hashable {
    /// The minimum length in bytes, at least 6 (`GOTRUE_PASSWORD_MIN_LENGTH`).
    public var minimumLength = 6
    /// Sets of characters; a password must contain one of each (`GOTRUE_PASSWORD_REQUIRED_CHARACTERS`).
    public var requiredCharacters: [String] = []
    /// The cost of a hash: the real server's, or the minimum for tests (`LOCKSTEP_PASSWORD_COST`, `real` or `least`).
    public var cost = PasswordCost.real
    /// The setting `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`.
    public var requiresReauthentication = false
    /// The setting `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`.
    public var requiresCurrent = false
}

/// Passkeys and WebAuthn's relying party.
public struct PasskeySettings: Sendable, Hashable {
    /// The setting `GOTRUE_PASSKEY_ENABLED`.
    public var isEnabled = false
    /// The setting `GOTRUE_WEBAUTHN_RP_ID`.
    public var relyingParty = "localhost"
    /// The setting `GOTRUE_WEBAUTHN_RP_DISPLAY_NAME`.
    public var displayName = "Lockstep"
    /// The setting `GOTRUE_WEBAUTHN_RP_ORIGINS`.
    public var origins = ["http://localhost:3000"]
    /// The maximum number of passkeys per user.
    public var maximum = 10
}

/// An error of invalid settings.
public struct GoTrueSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for each problem.
    public let problems: [String]

    /// All sentences in one string.
    public var description: String { problems.joined(separator: " ") }
}
