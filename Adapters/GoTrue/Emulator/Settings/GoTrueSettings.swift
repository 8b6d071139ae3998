internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives

/// The server's settings, by the names of GoTrue's own.
///
/// The defaults are the server's; where it has none they are the hosted platform's (audience and role
/// `authenticated`), and settings that a local server needs have working values.
public struct GoTrueSettings: Sendable, Hashable {
    /// The default target of links (`GOTRUE_SITE_URL`).
    public var siteURL = "http://localhost:3000"
    /// Globs of further targets (`GOTRUE_URI_ALLOW_LIST`).
    public var allowedRedirects: [String] = []
    /// The address in links and tokens (`API_EXTERNAL_URL`); `nil` means the address that the server listens at.
    public var externalURL: String?
    /// Access tokens.
    public var tokens = TokenSettings()
    /// Ways to sign up and in.
    public var signIn = SignInSettings()
    /// Emails and their codes.
    public var mail = MailSettings()
    /// Text messages and their codes.
    public var sms = SMSSettings()
    /// Refresh tokens.
    public var refresh = RefreshSettings()
    /// The lifetimes of sessions.
    public var sessions = SessionSettings()
    /// Passwords.
    public var passwords = PasswordSettings()
    /// Second factors.
    public var factors = FactorSettings()
    /// Passkeys and WebAuthn's relying party.
    public var passkeys = PasskeySettings()
    /// Limits by caller and for the whole server.
    public var limits = LimitSettings()
    /// Hooks that the server calls.
    public var hooks = HookSettings()
    /// Whether a captcha token is required (`GOTRUE_SECURITY_CAPTCHA_ENABLED`).
    public var asksForCaptcha = false
    /// Identity providers by name, those that were configured.
    public var providers: [String: ProviderSettings] = [:]
    /// Further issuers of ID tokens (`GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS`).
    public var allowedIssuers: [String] = []
    /// Request headers that a page of another origin may send besides the server's own (`GOTRUE_CORS_ALLOWED_HEADERS`).
    public var allowedHeaders: [String] = []
    /// How long a PKCE flow lives (`GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION`), at least 300 seconds.
    public var flowLife = Duration.seconds(300)

    /// `externalURL` by its other name.
    var secondExternalURL: String?
    /// The settings that the environment has.
    public internal(set) var given = GivenNames()

    /// Settings of the environment without an effect here, a sentence each: unknown names and unsupported features.
    public internal(set) var notices: [String] = []

    /// The defaults.
    public init() {}
}

/// Ways to sign up and in.
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
    /// How long a session without the user's second factor may live (`GOTRUE_SESSIONS_ALLOW_LOW_AAL`).
    public var lowAssuranceLife: Duration?
    /// A newer sign-in revokes the older ones (`GOTRUE_SESSIONS_SINGLE_PER_USER`).
    public var isSinglePerUser = false
}

/// Refresh tokens.
public struct RefreshSettings: Sendable, Hashable {
    /// Whether reusing a token ends its session (`GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`).
    public var punishesReuse = true
    /// How long reuse of a token is allowed (`GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`).
    public var reuseInterval = Duration.zero
    /// The setting `GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE`.
    public var allowsReuse = false
    /// 1 (random texts, a row each) or 2 (signed counters of the session) (`GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION`).
    public var version = 1
}

/// Access tokens.
public struct TokenSettings: Sendable, Hashable {
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
    ///
    /// Where it is empty, tokens name none, as those of a real server without the variable.
    public var issuer: String?
    /// `kid` of tokens signed with the secret (`GOTRUE_JWT_KEY_ID`).
    public var keyID: String?
    /// Private JSON Web Keys, exactly one of which signs (`GOTRUE_JWT_KEYS`).
    public var keys: Secret?
    /// The algorithms that a token may name (`GOTRUE_JWT_VALID_METHODS`); none means those of the keys, or HS256.
    public var methods: [String] = []
    /// The project's publishable key at the gateway (`SUPABASE_PUBLISHABLE_KEY`), which begins with `sb_publishable_`; `nil` is one that
    /// is made of the secret.
    public var publishableKey: String?
    /// The project's secret key at the gateway (`SUPABASE_SECRET_KEY`), which begins with `sb_secret_`; `nil` is one that is made of the
    /// secret.
    public var secretKey: Secret?
}

/// Passwords.
public struct PasswordSettings: Sendable, Hashable {
    /// The fewest bytes, never under 6 (`GOTRUE_PASSWORD_MIN_LENGTH`).
    public var minimumLength = 6
    /// Sets of characters, one of each must occur (`GOTRUE_PASSWORD_REQUIRED_CHARACTERS`).
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
    /// The most passkeys of one user.
    public var maximum = 10
}

/// Settings that cannot be read.
public struct GoTrueSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for each.
    public let problems: [String]

    /// All of them in one text.
    public var description: String { problems.joined(separator: " ") }
}
