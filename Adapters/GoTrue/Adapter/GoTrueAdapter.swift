@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
package import LockstepWire

/// The adapter for Supabase Auth (GoTrue), self-hosted or hosted.
///
/// Links use PKCE, so an intercepted link is useless to an attacker. The capabilities follow from the configuration:
/// links need a callback URL, and account deletion needs your own server function.
///
/// ```swift
/// let adapter = try GoTrueAdapter(
///     url: "https://ref.supabase.co/auth/v1", key: "sb_publishable_…", callback: "myapp://auth/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct GoTrueAdapter: AuthAdapter {
    let api: GoTrueAPI

    /// Creates an adapter for a project, with its dependencies.
    ///
    /// - Parameters:
    ///   - configuration: The project and its settings.
    ///   - transport: Sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    public init(
        _ configuration: GoTrueConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = GoTrueAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// Creates an adapter for a project.
    ///
    /// - Parameters:
    ///   - url: The URL of the API, such as `https://ref.supabase.co/auth/v1`.
    ///   - key: The anonymous or publishable key; `nil` for a server without a gateway.
    ///   - callback: The URL at which the app receives links.
    ///   - accountDeletion: The URL of your own function that deletes its caller's account.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``GoTrueConfiguration/backend``.
    ///   - transport: Sends the requests.
    /// - Throws: `invalidConfiguration`; see ``GoTrueConfiguration``.
    public init(
        url: String, key: String?, callback: String? = nil, accountDeletion: String? = nil, backend: String? = nil,
        transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try GoTrueConfiguration(
            url: url, key: key, callback: callback, accountDeletion: accountDeletion, backend: backend)
        self.init(configuration, transport: transport)
    }

    /// The name `gotrue`.
    public var name: String { Self.name }
    static let name = "gotrue"

    /// The name that the app gives the backend, or the URL of the API.
    public var backend: String { api.configuration.backend ?? api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// Password, anonymous, ID token, codes by SMS, passkeys and tickets.
    ///
    /// Codes by email are supported if the project's emails contain them. Links and OAuth are supported if there is a
    /// callback URL.
    public var signIn: SignInStrategies {
        PasswordSignIn(api: api)
        if takesLinks { EmailLinkSignIn(api: api) }
        if api.configuration.takesMailedCodes { EmailCodeSignIn(api: api) }
        PhoneCodeSignIn(api: api)
        AnonymousSignIn(api: api)
        IDTokenSignIn(api: api)
        if takesLinks { OAuthSignIn(api: api) }
        PasskeySignIn(api: api)
        TicketSignIn(api: api)
    }

    /// Codes, new passwords after a reset, second factors and passkeys.
    ///
    /// Links are supported if there is a callback URL.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [CodeVerification(api: api)]
        if takesLinks { strategies.append(LinkVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), PasskeyVerification(api: api)]
    }

    /// Sessions with single-use refresh tokens.
    public var sessions: any SessionAuthority { GoTrueSessions(api: api) }
    /// Links that return to the callback URL.
    public var callbacks: any CallbackReading {
        GoTrueCallbacks(
            addresses: [api.configuration.callback].compactMap(\.self), linksComeWithCodes: api.configuration.linksComeWithCodes)
    }
    /// Invitations, and links in emails whose request ended without a response.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// All scopes.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// A link or code, then a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The name and the photo, in the user's metadata.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// With the session alone, or with the current password or a code if the project requires it.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With the verification of both email addresses, unless the project requires only the new one.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// The user's identities, if the project allows manual linking.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// Authenticator apps, phones and passkeys.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The server's list of the user's passkeys.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// Supported: the project's captcha, hCaptcha or Turnstile.
    public var acceptsCaptcha: Bool { true }
    /// After the session, if the project signs users in before the verification
    /// (`MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`).
    public var addressProof: (any AddressProof)? { DueAddressProof(api: api) }
    /// By signing in again.
    public var reauthentication: (any Reauthentication)? {
        RenewedSignIn(takesLinks: takesLinks, takesCodes: api.configuration.takesMailedCodes)
    }
    /// With your own server function, if the configuration has one.
    public var accountDeletion: (any AccountDeletion)? {
        api.configuration.accountDeletion.map { OwnAccountDeletion(api: api, url: $0) }
    }
    /// The executor of the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

extension GoTrueAdapter {
    /// Sends your own request to the API, for features of GoTrue that have no portable name.
    ///
    /// ```swift
    /// let session = try await client.session()
    /// let passkeys = try await adapter.request(.get, "/passkeys", as: session)
    /// ```
    ///
    /// It sends the project's key, and the session's access token if a session is given. The client does not see changes
    /// to a session in the response, such as new tokens. Use its own calls for those.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path after the URL of the API, beginning with a slash.
    ///   - query: The query. Default: none.
    ///   - body: The members of the JSON body. Default: no body.
    ///   - session: The session that authorizes the call; get a valid one from the client. Default: none.
    /// - Returns: The response. Printing it shows no secrets.
    /// - Throws: An error of the adapter's table for every error response, with the original code in
    ///   ``AuthError/provider``; `invalidInput` for a path outside the API.
    @concurrent
    public func request(
        _ method: HTTPMethod, _ path: String, query: HTTPForm = [:], body: JSONObject? = nil, as session: Session? = nil
    ) async throws(AuthError) -> HTTPResponse {
        // Proxies decode before they look at a path, so an encoded dot or slash counts as one.
        let plain = Percent.decode(path) ?? "\\"
        let segments = plain.pieces(at: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), !path.contains(where: { "?#".contains($0) }), !plain.contains("\\"),
            plain.filter({ $0 == "/" }).count == path.filter({ $0 == "/" }).count,
            segments.allSatisfy({ !["", ".", ".."].contains($0) })
        else {
            throw AuthError(
                .invalidInput,
                "The path must begin with a slash and hold no query, fragment, backslash, encoded slash, empty part, `.` or `..`."
            )
        }
        guard session == nil || session?.provider == name else {
            throw AuthError(.invalidInput, "This is a session of another provider.")
        }
        return try await api.wire.send(method, api.wire.url + path, query: query, body: body, as: session?.accessToken)
    }
}

/// The URL of a project's GoTrue server, its key and its settings.
///
/// It is validated when it is created.
///
/// ```swift
/// var configuration = try GoTrueConfiguration(
///     url: "https://ref.supabase.co/auth/v1", key: "sb_publishable_…", callback: "myapp://auth/callback")
/// configuration.mailsShowCodes = false         // the project's emails contain only links
/// let adapter = GoTrueAdapter(configuration, transport: CurlTransport())
/// ```
public struct GoTrueConfiguration: Sendable {
    /// The URL of the API without a trailing slash, such as `https://ref.supabase.co/auth/v1`.
    public let url: String
    /// The app's public key; `nil` if no gateway is in front of the server.
    public let key: String?
    /// The URL at which the app receives links.
    ///
    /// If it is `nil`, links are neither requested nor accepted.
    public let callback: CallbackAddress?
    /// The URL of your own server function that deletes its caller's account.
    ///
    /// ``OwnAccountDeletion`` describes the required responses.
    public let accountDeletion: String?
    /// Your own name for the backend, such as `orders-prod`, by which stored sessions are found again; `nil` for its address.
    ///
    /// Without a name, another URL of the API is another backend: users of a session of the former one are signed out as
    /// `backendChanged`. With a name, the address may change: to a custom domain, to a proxy, from `localhost` to
    /// `127.0.0.1`. Give each project its own name, and never give one project's name to another: its users' tokens would be
    /// sent there. An app that is already released gives the value that the adapter's `backend` had until then, so that its
    /// users stay signed in.
    public let backend: String?
    /// Whether the project's emails contain a code in addition to the link (`{{ .Token }}` in the templates).
    ///
    /// Set it to `false` for a hosted project with the original templates. Then screens show no field for a code that the
    /// emails do not contain, and sign-in with a code by email is not a capability. Without a ``callback``, only codes
    /// are accepted.
    public var mailsShowCodes = true
    /// The project's minimum time between two messages to one address (`SMTP_MAX_FREQUENCY`, 60 seconds by default).
    public var resendInterval: Duration = .seconds(60)
    /// The lifetime of the project's codes and links by email (`MAILER_OTP_EXP`; an hour on hosted projects).
    public var emailProofLife: Duration = .seconds(3600)
    /// The lifetime of the project's codes by SMS (`SMS_OTP_EXP`, 60 seconds by default).
    public var smsProofLife: Duration = .seconds(60)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Whether a code from a mail is taken.
    var takesMailedCodes: Bool { mailsShowCodes || callback == nil }

    /// Whether a mail with a link shows a code as well.
    var linksComeWithCodes: Bool { mailsShowCodes && callback != nil }

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - url: The URL of the API. For a hosted project, `https://ref.supabase.co` is accepted, too.
    ///   - key: The anonymous or publishable key; `nil` for a server without a gateway.
    ///   - callback: The URL at which the app receives links. It must be in the project's list of redirect URLs.
    ///   - accountDeletion: The URL of your own function that deletes its caller's account.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``GoTrueConfiguration/backend``.
    /// - Throws: `invalidConfiguration` with the reason: an invalid URL, plain http to another machine, an empty key, or
    ///   a key that must never be in an app.
    public init(
        url: String, key: String?, callback: String? = nil, accountDeletion: String? = nil, backend: String? = nil
    ) throws(AuthError) {
        self.backend = try BackendAddress.checkedName(backend)
        self.url = try Self.address(url).url
        if let key { try Self.check(key) }
        self.key = key
        self.callback =
            if let callback { try CallbackAddress(callback) } else { nil }
        self.accountDeletion =
            if let accountDeletion { try BackendAddress(accountDeletion, called: "account deletion address").url } else { nil }
    }
}

extension GoTrueConfiguration {
    /// Checks the address of an API.
    ///
    /// Hosted projects serve GoTrue under one path only.
    package static func address(_ url: String) throws(AuthError) -> BackendAddress {
        let name = "API address"
        return try BackendAddress(url, called: name).adding("/auth/v1", onHostsOf: "supabase.co", called: name)
    }

    private static func check(_ text: String) throws(AuthError) {
        guard !text.isEmpty else {
            throw AuthError(.invalidConfiguration, "The key is empty: give the project's anonymous or publishable key.")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The key holds spaces or control characters: copy it again, without line ends.")
        }
        guard !text.hasPrefix("sb_secret_") else { throw administrators }
        guard let role = CompactToken.unverifiedClaims(of: text)?["role"]?.string, role != "anon" else { return }
        guard role != "service_role", role != "supabase_admin" else { throw administrators }
        throw AuthError(.invalidConfiguration, "The key is a token of role \(role): give the project's anonymous key.")
    }

    private static let administrators = AuthError(
        .invalidConfiguration,
        "The key is an administrator's. Anyone who has the app could read it and do anything: give the anonymous or publishable key."
    )
}
