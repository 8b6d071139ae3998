import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The redirect for a provider without a local issuer: the provider's real address, as on the real server.
@Suite(.limitedConcurrency)
struct AuthorizeTests {
    private func emulator(_ name: String, url: String? = nil, _ change: (inout GoTrueSettings) -> Void = { _ in }) throws
        -> TestEmulator
    {
        try TestEmulator {
            $0.providers[name] = ProviderSettings(clients: ["app", "other"], secret: "secret", issuer: url)
            $0.signIn.allowsManualLinking = true
            change(&$0)
        }
    }

    /// The parts of an address: the text before the query, and the pairs of the query.
    private static func parts(_ address: String) -> (place: String, query: Parameters) {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        return (parts.first ?? "", Parameters(Percent.decodeForm(parts.last ?? "") ?? []))
    }

    @Test(arguments: [
        ("apple", "https://appleid.apple.com/auth/authorize", "email name"),
        ("azure", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize", "openid"),
        ("bitbucket", "https://bitbucket.org/site/oauth2/authorize", "account email"),
        ("discord", "https://discord.com/api/oauth2/authorize", "email identify"),
        ("facebook", "https://www.facebook.com/dialog/oauth", "email"),
        ("figma", "https://www.figma.com/oauth", "current_user:read"),
        ("fly", "https://api.fly.io/oauth/authorize", "read"),
        ("github", "https://github.com/login/oauth/authorize", "user:email"),
        ("gitlab", "https://gitlab.com/oauth/authorize", "read_user"),
        ("google", "https://accounts.google.com/o/oauth2/v2/auth", "email profile"),
        ("kakao", "https://kauth.kakao.com/oauth/authorize", "account_email profile_image profile_nickname"),
        ("linkedin", "https://api.linkedin.com/oauth/v2/authorization", "r_emailaddress r_liteprofile"),
        ("linkedin_oidc", "https://api.linkedin.com/oauth/v2/authorization", "openid email profile"),
        ("notion", "https://api.notion.com/v1/oauth/authorize", nil),
        ("slack", "https://slack.com/oauth/authorize", "profile email openid"),
        ("slack_oidc", "https://slack.com/openid/connect/authorize", "profile email openid"),
        ("spotify", "https://accounts.spotify.com/authorize", "user-read-email"),
        ("twitch", "https://id.twitch.tv/oauth2/authorize", "user:read:email"),
        ("vercel_marketplace", "https://api.vercel.com/oauth/v2/authorization", nil),
        ("workos", "https://api.workos.com/sso/authorize", nil),
        ("x", "https://x.com/i/oauth2/authorize", "users.email tweet.read users.read offline.access"),
        ("zoom", "https://zoom.us/oauth/authorize", nil),
    ])
    func authorizeURLIsTheProviders(_ name: String, _ place: String, _ scope: String?) async throws {
        let emulator = try emulator(name)
        let answer = try await emulator.get("/authorize?provider=\(name)&redirect_to=http://localhost:3000/in")
        #expect(answer.status == 302, "\(answer.json)")
        let (found, query) = Self.parts(answer.response.headers["location"] ?? "")
        #expect(found == place)
        #expect(query["client_id"] == "app" && query["response_type"] == "code")
        #expect(query["redirect_uri"] == emulator.server.base + "/callback")
        #expect(query["redirect_to"] == "http://localhost:3000/in")
        #expect(query["scope"] == scope)
        #expect(query["state"]?.utf8.count == 36)
        #expect((query["response_mode"] == "form_post") == (name == "apple"))
        // X requires PKCE. The server generates its own challenge.
        #expect((query["code_challenge"]?.utf8.count == 43) == (name == "x"))
        #expect((query["code_challenge_method"] == "S256") == (name == "x"))
    }

    @Test func snapchatUsesItsOwnScopes() async throws {
        let answer = try await emulator("snapchat").get("/authorize?provider=Snapchat")
        let (place, query) = Self.parts(answer.response.headers["location"] ?? "")
        #expect(place == "https://accounts.snapchat.com/accounts/oauth2/auth")
        #expect(
            query["scope"]
                == ["external_id", "display_name", "bitmoji.avatar"].map { "https://auth.snapchat.com/oauth2/api/user.\($0)" }
                .joined(separator: " "))
    }

    @Test func requestedScopesAndParametersAreAdded() async throws {
        let google = try await emulator("google").get(
            "/authorize?provider=google&scopes=openid,email&access_type=offline&prompt=consent&code_challenge="
                + String(repeating: "c", count: 43) + "&code_challenge_method=s256")
        let (_, query) = Self.parts(google.response.headers["location"] ?? "")
        #expect(query["scope"] == "email profile openid email", "as Go's append has it")
        #expect(query["access_type"] == "offline" && query["prompt"] == "consent")
        #expect(query["code_challenge"] == nil && query["scopes"] == nil && query["provider"] == nil)
        let bitbucket = try await emulator("bitbucket").get("/authorize?provider=bitbucket&scopes=more")
        #expect(Self.parts(bitbucket.response.headers["location"] ?? "").query["scope"] == "account email", "it takes none")
        let workos = try await emulator("workos").get("/authorize?provider=workos&workos_provider=GoogleOAuth")
        #expect(Self.parts(workos.response.headers["location"] ?? "").query["provider"] == "GoogleOAuth")
    }

    /// `…_URL` is another host of the same provider.
    ///
    /// Only plain HTTP makes it a local issuer.
    @Test func customHostKeepsTheProvidersPaths() async throws {
        let address = try await emulator("gitlab", url: "https://git.example.com/").get("/authorize?provider=gitlab")
        #expect(Self.parts(address.response.headers["location"] ?? "").place == "https://git.example.com/oauth/authorize")
        let google = try await emulator("google", url: "https://elsewhere.example.com").get("/authorize?provider=google")
        #expect(
            Self.parts(google.response.headers["location"] ?? "").place == "https://accounts.google.com/o/oauth2/v2/auth",
            "the real server does not look at it")
        let local = try await emulator("google", url: "http://127.0.0.1:1/realm").get("/authorize?provider=google")
        #expect(
            Self.parts(local.response.headers["location"] ?? "").place == "http://127.0.0.1:1/realm/protocol/openid-connect/auth")
    }

    @Test func linkingReturnsTheAuthorizeURL() async throws {
        let emulator = try emulator("github")
        let bearer = try await emulator.person()["access_token"]
        let path = "/user/identities/authorize?provider=github"
        let answer = try await emulator.get(path + "&skip_http_redirect=true", bearer: bearer)
        #expect(answer.status == 200)
        let (place, query) = Self.parts(answer["url"])
        #expect(place == "https://github.com/login/oauth/authorize" && query["scope"] == "user:email")
        let redirected = try await emulator.get(path, bearer: bearer)
        #expect(redirected.status == 302)
        #expect(redirected.response.headers["location"]?.hasPrefix("https://github.com/login/oauth/authorize?") == true)
    }

    /// The callback needs the provider itself, and the emulator sends nothing to other machines.
    @Test func callbackReportsAnUnreachableProvider() async throws {
        let emulator = try emulator("google")
        let there = try await emulator.get("/authorize?provider=google")
        let state = try #require(Self.parts(there.response.headers["location"] ?? "").query["state"])
        let back = try await emulator.get("/callback?code=c&state=\(state)")
        #expect(back.status == 302)
        #expect(back.response.headers["location"]?.contains("Unable+to+exchange+external+code") == true)
        #expect(try emulator.administrator.userCount() == 0)
    }

    @Test(arguments: [
        ("keycloak", "Unsupported provider: unable to find URL for the Keycloak provider"),
        (
            "twitter",
            "Unsupported provider: twitter needs a local issuer here, set its URL: by OAuth 1.0 the provider is asked first"
        ),
    ])
    func providerWithoutAURLIsRejected(_ name: String, _ message: String) async throws {
        let refused = try await emulator(name).get("/authorize?provider=\(name)")
        #expect(refused.status == 400 && refused.code == "validation_failed" && refused["msg"] == message)
    }
}
