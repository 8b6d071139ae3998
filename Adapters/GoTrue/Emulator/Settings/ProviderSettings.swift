public import LockstepPrimitives

/// An identity provider.
public struct ProviderSettings: Sendable, Hashable {
    /// The setting `GOTRUE_EXTERNAL_…_ENABLED`.
    public var isEnabled = false
    /// The client ids that ID tokens may name.
    ///
    /// The first one is used for sign-in by redirect (`…_CLIENT_ID`).
    public var clients: [String] = []
    /// The setting `…_SECRET`.
    public var secret: Secret?
    /// The setting `…_REDIRECT_URI`; `nil` for the server's own `/callback`.
    public var redirectURL: String?
    /// The issuer (`…_URL`).
    ///
    /// Keycloak requires it. For another provider, a plain `http://` address selects a local test issuer, and any other address a
    /// different host of the same provider, such as a self-hosted GitLab.
    public var issuer: String?

    /// Whether an issuer on this machine stands in the provider's place.
    var hasLocalIssuer: Bool { issuer?.hasPrefix("http://") ?? false }
    /// The setting `…_SKIP_NONCE_CHECK`.
    public var skipsNonce = false
    /// The setting `…_EMAIL_OPTIONAL`.
    public var allowsNoEmail = false

    /// Creates an enabled provider.
    public init(clients: [String], secret: Secret? = nil, issuer: String? = nil) {
        isEnabled = true
        self.clients = clients
        self.secret = secret
        self.issuer = issuer
    }

    /// A provider that is not configured.
    init() {}
}
