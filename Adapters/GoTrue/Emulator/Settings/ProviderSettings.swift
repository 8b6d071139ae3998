public import LockstepPrimitives

/// The settings of an identity provider.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.providers["google"] = ProviderSettings(clients: ["orders.apps.googleusercontent.com"])
/// ```
public struct ProviderSettings: Sendable, Hashable {
    /// Whether users can sign in with the provider (`GOTRUE_EXTERNAL_…_ENABLED`).
    public var isEnabled = false
    /// The client ids that ID tokens may contain (`…_CLIENT_ID`).
    ///
    /// The first client id is used for a sign-in by redirect.
    public var clients: [String] = []
    /// The client secret (`…_SECRET`).
    public var secret: Secret?
    /// The URL to which the provider redirects (`…_REDIRECT_URI`); `nil` to use the server's own `/callback`.
    public var redirectURL: String?
    /// The URL of the issuer (`…_URL`).
    ///
    /// Keycloak requires this setting. For another provider, a URL with plain `http://` selects a test issuer on this
    /// machine. Any other URL selects another host of the same provider, such as a self-hosted GitLab.
    public var issuer: String?

    /// Whether an issuer on this machine replaces the provider.
    var hasLocalIssuer: Bool { issuer?.hasPrefix("http://") ?? false }
    /// Whether the server skips the nonce check of an ID token (`…_SKIP_NONCE_CHECK`).
    public var skipsNonce = false
    /// Whether the server accepts a user without an email address at the provider (`…_EMAIL_OPTIONAL`).
    public var allowsNoEmail = false

    /// Creates the settings of an enabled provider.
    ///
    /// - Parameters:
    ///   - clients: The client ids that ID tokens may contain.
    ///   - secret: The client secret. Default: none.
    ///   - issuer: The URL of the issuer. Default: the provider's own.
    public init(clients: [String], secret: Secret? = nil, issuer: String? = nil) {
        isEnabled = true
        self.clients = clients
        self.secret = secret
        self.issuer = issuer
    }

    /// A provider that is not configured.
    init() {}
}
