/// The server's settings, by the names of GoTrue's own.
///
/// The defaults are the server's; where it has none they are the hosted platform's (audience and role
/// `authenticated`), and settings that a local server needs have working values.
public struct GoTrueSettings: Sendable {
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
    /// Mails and their codes.
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

    /// Settings of the environment without an effect here, a sentence each: unknown names and unsupported features.
    public internal(set) var notices: [String] = []

    /// The defaults.
    public init() {}
}
