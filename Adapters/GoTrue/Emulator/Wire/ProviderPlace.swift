/// The page on which users of a provider sign in, and the parameters of a request to it, as in the real server's source
/// (`internal/api/provider`).
struct ProviderPlace: Sendable {
    /// The host, with the part of the URL before ``path``.
    private let host: String
    private let path: String
    /// The scopes that are always requested; may be empty.
    let scopes: [String]
    /// Whether the scopes of the request are added.
    var addsScopes = true
    /// Whether `…_URL` selects another host of the provider.
    private var movesHost = true
    /// Further parameters.
    var parameters: [(name: String, value: String)] = []
    /// Whether the server uses PKCE with the provider (RFC 7636).
    var wantsProofKey = false

    private init(_ host: String, _ path: String, _ scopes: [String] = []) {
        self.host = host
        self.path = path
        self.scopes = scopes
    }

    /// Returns the page on the provider's own host, or on the host in the settings.
    func address(on other: String?) -> String {
        guard movesHost, var place = other, !place.isEmpty else { return "https://" + host + path }
        if place.hasSuffix("/") { place.removeLast() }
        return place + path
    }

    /// Returns the page of a provider; `nil` for Keycloak, which has no fixed host, and for Twitter, whose OAuth 1.0
    /// needs a token from the provider first.
    static func of(_ name: String) -> ProviderPlace? { places[name] }

    private static let places: [String: ProviderPlace] = {
        let snapchat = ["external_id", "display_name", "bitmoji.avatar"].map { "https://auth.snapchat.com/oauth2/api/user." + $0 }
        var places = [
            "azure": ProviderPlace("login.microsoftonline.com/common", "/oauth2/v2.0/authorize", ["openid"]),
            "discord": ProviderPlace("discord.com", "/api/oauth2/authorize", ["email", "identify"]),
            "facebook": ProviderPlace("www.facebook.com", "/dialog/oauth", ["email"]),
            "figma": ProviderPlace("www.figma.com", "/oauth", ["current_user:read"]),
            "fly": ProviderPlace("api.fly.io", "/oauth/authorize", ["read"]),
            "github": ProviderPlace("github.com", "/login/oauth/authorize", ["user:email"]),
            "gitlab": ProviderPlace("gitlab.com", "/oauth/authorize", ["read_user"]),
            "kakao": ProviderPlace(
                "kauth.kakao.com", "/oauth/authorize", ["account_email", "profile_image", "profile_nickname"]),
            "linkedin": ProviderPlace("api.linkedin.com", "/oauth/v2/authorization", ["r_emailaddress", "r_liteprofile"]),
            "linkedin_oidc": ProviderPlace("api.linkedin.com", "/oauth/v2/authorization", ["openid", "email", "profile"]),
            "slack": ProviderPlace("slack.com", "/oauth/authorize", ["profile", "email", "openid"]),
            "slack_oidc": ProviderPlace("slack.com", "/openid/connect/authorize", ["profile", "email", "openid"]),
            "snapchat": ProviderPlace("accounts.snapchat.com", "/accounts/oauth2/auth", snapchat),
            "spotify": ProviderPlace("accounts.spotify.com", "/authorize", ["user-read-email"]),
            "twitch": ProviderPlace("id.twitch.tv", "/oauth2/authorize", ["user:read:email"]),
            "vercel_marketplace": ProviderPlace("api.vercel.com", "/oauth/v2/authorization"),
        ]
        for (name, place) in [
            ("bitbucket", ProviderPlace("bitbucket.org", "/site/oauth2/authorize", ["account", "email"])),
            ("notion", ProviderPlace("api.notion.com", "/v1/oauth/authorize")),
            ("workos", ProviderPlace("api.workos.com", "/sso/authorize")), ("zoom", ProviderPlace("zoom.us", "/oauth/authorize")),
            ("apple", ProviderPlace("appleid.apple.com", "/auth/authorize", ["email", "name"])),
        ] {
            places[name] = place
            places[name]?.addsScopes = false
        }
        places["google"] = ProviderPlace("accounts.google.com", "/o/oauth2/v2/auth", ["email", "profile"])
        for name in ["apple", "google"] { places[name]?.movesHost = false }
        places["apple"]?.parameters = [("response_mode", "form_post")]
        places["x"] = ProviderPlace(
            "x.com", "/i/oauth2/authorize", ["users.email", "tweet.read", "users.read", "offline.access"])
        places["x"]?.wantsProofKey = true
        return places
    }()
}
