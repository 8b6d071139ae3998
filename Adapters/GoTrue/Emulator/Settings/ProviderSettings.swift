public import LockstepPrimitives

/// An identity provider.
public struct ProviderSettings: Sendable, Hashable {
    /// The setting `GOTRUE_EXTERNAL_…_ENABLED`.
    public var isEnabled = false
    /// Client ids that ID tokens may be for; the first one is used for signing in by redirect (`…_CLIENT_ID`).
    public var clients: [String] = []
    /// The setting `…_SECRET`.
    public var secret: Secret?
    /// `…_REDIRECT_URI`; `nil` is the server's own `/callback`.
    public var redirectURL: String?
    /// The issuer (`…_URL`).
    ///
    /// Keycloak needs it; for another provider a plain `http://` address puts a local test issuer in its place, and any other one is
    /// another host of the same provider, as for a GitLab of one's own.
    public var issuer: String?

    /// Whether an issuer on this machine stands in the provider's place.
    var hasLocalIssuer: Bool { issuer?.hasPrefix("http://") ?? false }
    /// The setting `…_SKIP_NONCE_CHECK`.
    public var skipsNonce = false
    /// The setting `…_EMAIL_OPTIONAL`.
    public var allowsNoEmail = false

    /// An enabled provider.
    public init(clients: [String], secret: Secret? = nil, issuer: String? = nil) {
        isEnabled = true
        self.clients = clients
        self.secret = secret
        self.issuer = issuer
    }

    /// A provider that is not configured.
    init() {}
}
