internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives

/// The settings of an emulated GoTrue server, with GoTrue's own names.
///
/// The defaults are the defaults of the real server. If that server has no default, the setting has the value of the
/// hosted platform, such as the audience and the role `authenticated`. Every setting that a local server needs has a
/// working value.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.mail.confirmsByItself = true
/// let server = try GoTrueEmulator.start(settings)
/// print(server.base)
/// server.stop()
/// ```
public struct GoTrueSettings: Sendable, Hashable {
    /// The URL to which links redirect by default (`GOTRUE_SITE_URL`).
    public var siteURL = "http://localhost:3000"
    /// The patterns of further URLs to which links may redirect (`GOTRUE_URI_ALLOW_LIST`).
    public var allowedRedirects: [String] = []
    /// The URL of the server in links and tokens (`API_EXTERNAL_URL`); `nil` to use the server's own address.
    public var externalURL: String?
    /// The settings of access tokens.
    public var tokens = TokenSettings()
    /// The settings of sign-up and sign-in.
    public var signIn = SignInSettings()
    /// The settings of emails and of the codes in them.
    public var mail = MailSettings()
    /// The settings of SMS and of the codes in them.
    public var sms = SMSSettings()
    /// The settings of refresh tokens.
    public var refresh = RefreshSettings()
    /// The lifetimes of sessions.
    public var sessions = SessionSettings()
    /// The settings of passwords.
    public var passwords = PasswordSettings()
    /// The settings of second factors.
    public var factors = FactorSettings()
    /// The settings of passkeys and of WebAuthn's relying party.
    public var passkeys = PasskeySettings()
    /// The rate limits per caller and for the whole server.
    public var limits = LimitSettings()
    /// The hooks that the server calls.
    public var hooks = HookSettings()
    /// Whether the server requires a captcha token (`GOTRUE_SECURITY_CAPTCHA_ENABLED`).
    public var asksForCaptcha = false
    /// The settings of identity providers, by the provider's name.
    public var providers: [String: ProviderSettings] = [:]
    /// Further issuers whose ID tokens the server accepts (`GOTRUE_EXTERNAL_ALLOWED_ID_TOKEN_ISSUERS`).
    public var allowedIssuers: [String] = []
    /// Further request headers that a web page of another origin may send (`GOTRUE_CORS_ALLOWED_HEADERS`).
    public var allowedHeaders: [String] = []
    /// The lifetime of a PKCE flow (`GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION`), at least 300 seconds.
    public var flowLife = Duration.seconds(300)

    /// `externalURL` by its other name.
    var secondExternalURL: String?
    /// The names of the settings that the environment sets.
    public internal(set) var given = GivenNames()

    /// A sentence for each setting that is in the environment but has no effect.
    ///
    /// Such a setting has an unknown name, or is for a feature that the emulator does not support.
    public internal(set) var notices: [String] = []

    /// Creates the default settings.
    public init() {}
}

/// The settings of sign-up and sign-in.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.signIn.allowsAnonymous = true
/// ```
public struct SignInSettings: Sendable, Hashable {
    /// Whether the server rejects sign-ups (`GOTRUE_DISABLE_SIGNUP`).
    public var isSignUpDisabled = false
    /// Whether users can sign in with an email address (`GOTRUE_EXTERNAL_EMAIL_ENABLED`).
    public var allowsEmail = true
    /// Whether users can sign in with a phone number (`GOTRUE_EXTERNAL_PHONE_ENABLED`).
    public var allowsPhone = false
    /// Whether users can sign in anonymously (`GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED`).
    public var allowsAnonymous = false
    /// Whether users can sign in with a link by email (`GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`).
    public var allowsMagicLink = true
    /// Whether users can add identities (`GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`).
    public var allowsManualLinking = false
}

/// The lifetimes of sessions; `nil` if a session never expires.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.sessions.life = .seconds(24 * 3600)
/// ```
public struct SessionSettings: Sendable, Hashable {
    /// The maximum lifetime of a session (`GOTRUE_SESSIONS_TIMEBOX`).
    public var life: Duration?
    /// The time without a refresh after which a session expires (`GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`).
    public var idleLife: Duration?
    /// The lifetime of a session in which the user has not completed the second factor
    /// (`GOTRUE_SESSIONS_ALLOW_LOW_AAL`).
    public var lowAssuranceLife: Duration?
    /// Whether a new sign-in revokes the user's older sessions (`GOTRUE_SESSIONS_SINGLE_PER_USER`).
    public var isSinglePerUser = false
}

/// The settings of refresh tokens.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.refresh.reuseInterval = .seconds(10)
/// ```
public struct RefreshSettings: Sendable, Hashable {
    /// Whether the session ends if its refresh token is used twice (`GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`).
    public var punishesReuse = true
    /// The time for which a used refresh token may be used again (`GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`).
    public var reuseInterval = Duration.zero
    /// Whether a refresh token may be used any number of times (`GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE`).
    public var allowsReuse = false
    /// The version of the algorithm for refresh tokens (`GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION`).
    ///
    /// Version 1 uses random strings, each with a row in the database. Version 2 uses a signed counter for each
    /// session.
    public var version = 1
}

/// The settings of access tokens.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.tokens.life = 60
/// ```
public struct TokenSettings: Sendable, Hashable {
    /// The shared secret that signs tokens (`GOTRUE_JWT_SECRET`).
    public var secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
    /// The lifetime of an access token in seconds (`GOTRUE_JWT_EXP`).
    public var life = 3600
    /// The claim `aud` of tokens (`GOTRUE_JWT_AUD`).
    public var audience = "authenticated"
    /// The claim `role` of new users (`GOTRUE_JWT_DEFAULT_GROUP_NAME`).
    public var role = "authenticated"
    /// The roles that may use the administrator's endpoints (`GOTRUE_JWT_ADMIN_ROLES`).
    public var adminRoles = ["service_role", "supabase_admin"]
    /// The claim `iss` of tokens (`GOTRUE_JWT_ISSUER`); `nil` to use the server's own address.
    ///
    /// If the value is an empty string, tokens have no issuer, as on a real server without this variable.
    public var issuer: String?
    /// The `kid` of tokens that the shared secret signs (`GOTRUE_JWT_KEY_ID`).
    public var keyID: String?
    /// The private JSON Web Keys (`GOTRUE_JWT_KEYS`); exactly one key must be for signing.
    public var keys: Secret?
    /// The signature algorithms that the server accepts in tokens (`GOTRUE_JWT_VALID_METHODS`).
    ///
    /// If the list is empty, the server accepts the algorithms of its keys. If there are no keys, the server accepts
    /// HS256.
    public var methods: [String] = []
    /// The project's publishable key (`SUPABASE_PUBLISHABLE_KEY`); `nil` to derive a key from the shared secret.
    ///
    /// A key begins with `sb_publishable_`.
    public var publishableKey: String?
    /// The project's secret key (`SUPABASE_SECRET_KEY`); `nil` to derive a key from the shared secret.
    ///
    /// A key begins with `sb_secret_`.
    public var secretKey: Secret?
}

/// The settings of passwords.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.passwords.minimumLength = 12
/// settings.passwords.cost = .least
/// ```
public struct PasswordSettings: Sendable, Hashable {
    /// The minimum length of a password in bytes, at least 6 (`GOTRUE_PASSWORD_MIN_LENGTH`).
    public var minimumLength = 6
    /// The required character sets (`GOTRUE_PASSWORD_REQUIRED_CHARACTERS`); a password must contain a character from
    /// each set.
    public var requiredCharacters: [String] = []
    /// The cost of a password hash (`LOCKSTEP_PASSWORD_COST`).
    ///
    /// The value is `real` as on the real server, or `least` for fast tests.
    public var cost = PasswordCost.real
    /// Whether a new password requires a code if the sign-in is old.
    ///
    /// The setting is `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`.
    public var requiresReauthentication = false
    /// Whether a new password requires the current password.
    ///
    /// The setting is `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`.
    public var requiresCurrent = false
}

/// The settings of passkeys and of WebAuthn's relying party.
public struct PasskeySettings: Sendable, Hashable {
    /// Whether users can add passkeys and sign in with them (`GOTRUE_PASSKEY_ENABLED`).
    public var isEnabled = false
    /// The host for which passkeys are created, or a parent domain of that host (`GOTRUE_WEBAUTHN_RP_ID`).
    public var relyingParty = "localhost"
    /// The display name of the site for which passkeys are created (`GOTRUE_WEBAUTHN_RP_DISPLAY_NAME`).
    public var displayName = "Lockstep"
    /// The origins of the web pages whose passkeys the server accepts (`GOTRUE_WEBAUTHN_RP_ORIGINS`).
    public var origins = ["http://localhost:3000"]
    /// The maximum number of passkeys per user.
    public var maximum = 10
}

/// An error in the settings.
public struct GoTrueSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, each as a sentence.
    public let problems: [String]

    /// All problems in one message.
    public var description: String { problems.joined(separator: " ") }
}
