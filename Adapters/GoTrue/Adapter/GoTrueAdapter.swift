@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
public import LockstepWire

/// The adapter for Supabase Auth (GoTrue), hosted or self-hosted.
///
/// Links use PKCE, so an attacker cannot use an intercepted link. The capabilities depend on the configuration. Links
/// require a callback URL. The deletion of an account requires a function on your own server.
///
/// ```swift
/// let adapter = try GoTrueAdapter(
///     url: "https://ref.supabase.co/auth/v1", key: "sb_publishable_…", callback: "myapp://auth/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct GoTrueAdapter: AuthAdapter {
    let api: GoTrueAPI

    /// Creates an adapter from a configuration, with a clock and a source of randomness.
    ///
    /// - Parameters:
    ///   - configuration: The project and its settings.
    ///   - transport: The transport that sends the requests.
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
    ///   - key: The anonymous or publishable key; `nil` if the server has no gateway.
    ///   - callback: The URL at which the app receives links. Default: none.
    ///   - accountDeletion: The URL of your own function that deletes the caller's account. Default: none.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``GoTrueConfiguration/backend``. Default:
    ///     none.
    ///   - transport: The transport that sends the requests.
    /// - Throws: `invalidConfiguration` if a value is invalid; see ``GoTrueConfiguration``.
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

    /// The app's own name for the backend, or the URL of the API if there is no name.
    public var backend: String { api.configuration.backend ?? api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// The sign-in strategies: password, anonymous, ID token, code by SMS, passkey and ticket.
    ///
    /// The adapter supports codes by email if the project's emails contain codes. The adapter supports links and OAuth
    /// if the configuration has a callback URL.
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

    /// The verification strategies: codes, new passwords after a reset, second factors and passkeys.
    ///
    /// The adapter supports links if the configuration has a callback URL.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [CodeVerification(api: api)]
        if takesLinks { strategies.append(LinkVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), PasskeyVerification(api: api)]
    }

    /// The component that refreshes, reloads and revokes sessions; a refresh token works only once.
    public var sessions: any SessionAuthority { GoTrueSessions(api: api) }
    /// The component that reads links to the callback URL.
    public var callbacks: any CallbackReading {
        GoTrueCallbacks(
            addresses: [api.configuration.callback].compactMap(\.self), linksComeWithCodes: api.configuration.linksComeWithCodes)
    }
    /// The component that opens invitations.
    ///
    /// It also opens email links if the response to the request for the email was lost.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// The sign-out scopes that the backend supports: all.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// The password reset: the user opens a link or enters a code, and then sets a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The change of the profile: GoTrue stores the name and the photo in the user's metadata.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// The change of the password.
    ///
    /// Depending on the project, GoTrue requires only the session, or also the current password or a code.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// The change of the email address.
    ///
    /// The user must verify the old and the new address, unless the project requires only the new address.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// The linking of identities, which works if the project allows manual linking.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// The second factors: authenticator apps, phones and passkeys.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The management of the user's passkeys, including the list of passkeys on the server.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// Whether the adapter supports captchas: `true`, for hCaptcha or Turnstile depending on the project's settings.
    public var acceptsCaptcha: Bool { true }
    /// The verification of the email address of a user who already has a session.
    ///
    /// A project may sign users in before the verification (`MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`).
    public var addressVerification: (any AddressVerification)? { DueAddressVerification(api: api) }
    /// The reauthentication: the user signs in again.
    public var reauthentication: (any Reauthentication)? {
        RenewedSignIn(takesLinks: takesLinks, takesCodes: api.configuration.takesMailedCodes)
    }
    /// The deletion of the account through your own function; `nil` if the configuration has none.
    public var accountDeletion: (any AccountDeletion)? {
        api.configuration.accountDeletion.map { OwnAccountDeletion(api: api, url: $0) }
    }
    /// The executor that runs tasks on the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

extension GoTrueAdapter {
    /// Sends a request to the API, for a feature of GoTrue that the portable client does not have.
    ///
    /// ```swift
    /// let session = try await client.session()
    /// let passkeys = try await adapter.request(.get, "/passkeys", as: session)
    /// ```
    ///
    /// The request contains the project's key. If you pass a session, the request also contains the access token of the
    /// session. The client does not notice if the response changes the session, for example with new tokens. Use the
    /// client's own calls to change a session.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path of the request, relative to the URL of the API. The path begins with a slash.
    ///   - query: The query. Default: none.
    ///   - body: The members of the JSON body. Default: no body.
    ///   - session: The session that authorizes the call. Get a valid session from the client. Default: none.
    /// - Returns: The response, whose description contains no secrets.
    /// - Throws: The matching error in the adapter's error table, if the server returns an error;
    ///   ``AuthError/provider`` contains the original code. `invalidInput` if the path is outside the API.
    @concurrent
    public func request(
        _ method: HTTPMethod, _ path: String, query: HTTPForm = [:], body: JSONObject? = nil, as session: Session? = nil
    ) async throws(AuthError) -> HTTPResponse {
        // Proxies decode a path before they use it, so an encoded dot or slash is treated as a plain one.
        let plain = Percent.decode(path) ?? "\\"
        let segments = plain.pieces(at: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), !path.contains(where: { "?#".contains($0) }), !plain.contains("\\"),
            plain.filter({ $0 == "/" }).count == path.filter({ $0 == "/" }).count,
            segments.allSatisfy({ !["", ".", ".."].contains($0) })
        else {
            throw AuthError(
                .invalidInput,
                "The path must start with a slash. It must not contain a query, fragment, backslash, encoded slash, empty part, `.` or `..`."
            )
        }
        guard session == nil || session?.provider == name else {
            throw AuthError(.invalidInput, "The session belongs to another provider.")
        }
        return try await api.wire.send(method, api.wire.url + path, query: query, body: body, as: session?.accessToken)
    }
}

/// The configuration of a project: the URL of its GoTrue server, its key and its settings.
///
/// The initializer checks all values.
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
    /// The app's public key; `nil` if the server has no gateway.
    public let key: String?
    /// The URL at which the app receives links.
    ///
    /// If the value is `nil`, the adapter neither requests nor accepts links.
    public let callback: CallbackAddress?
    /// The URL of the function on your own server that deletes the caller's account.
    ///
    /// ``OwnAccountDeletion`` describes how the function must respond.
    public let accountDeletion: String?
    /// Your own name for the backend, such as `orders-prod`; `nil` to use the URL of the API as the name.
    ///
    /// The client stores a session under this name. If you change the URL and there is no name, the client treats the
    /// new URL as another backend. The client then signs users out with the reason `backendChanged`. If you set a name,
    /// you can change the URL, for example to a custom domain, to a proxy, or from `localhost` to `127.0.0.1`.
    ///
    /// Give each project its own name. If two projects have the same name, the client sends the tokens of one project
    /// to the other. To set a name in a released app, use the former value of the adapter's `backend`, so that users
    /// stay signed in.
    public let backend: String?
    /// Whether the project's emails contain a code in addition to the link (`{{ .Token }}` in the templates).
    ///
    /// Set this to `false` for a hosted project with the original email templates, which contain no code. If the value
    /// is `false`, screens show no field for a code, and the adapter does not have the capability `emailCodeSignIn`. If
    /// there is no ``callback``, the adapter accepts only codes.
    public var mailsShowCodes = true
    /// The project's minimum time between two messages to one address (`SMTP_MAX_FREQUENCY`, 60 seconds by default).
    public var resendInterval: Duration = .seconds(60)
    /// The lifetime of the project's codes and links by email (`MAILER_OTP_EXP`; an hour on hosted projects).
    public var emailProofLife: Duration = .seconds(3600)
    /// The lifetime of the project's codes by SMS (`SMS_OTP_EXP`, 60 seconds by default).
    public var smsProofLife: Duration = .seconds(60)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Whether the adapter accepts a code from an email.
    var takesMailedCodes: Bool { mailsShowCodes || callback == nil }

    /// Whether an email with a link also shows a code.
    var linksComeWithCodes: Bool { mailsShowCodes && callback != nil }

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - url: The URL of the API. For a hosted project, `https://ref.supabase.co` is accepted, too.
    ///   - key: The anonymous or publishable key; `nil` if the server has no gateway.
    ///   - callback: The URL at which the app receives links. The project's list of redirect URLs must contain this
    ///     URL. Default: none.
    ///   - accountDeletion: The URL of your own function that deletes the caller's account. Default: none.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``GoTrueConfiguration/backend``. Default:
    ///     none.
    /// - Throws: `invalidConfiguration` if a URL is invalid or uses plain http to another machine, or if the key is
    ///   empty or must never be in an app. The message states the reason.
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
            if let accountDeletion {
                try BackendAddress(accountDeletion, called: "address of the function that deletes accounts").url
            } else { nil }
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
            throw AuthError(.invalidConfiguration, "The key is empty. Use the project's anonymous or publishable key.")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The key contains spaces or control characters. Copy it again, without line breaks.")
        }
        guard !text.hasPrefix("sb_secret_") else { throw administrators }
        guard let role = CompactToken.unverifiedClaims(of: text)?["role"]?.string, role != "anon" else { return }
        guard role != "service_role", role != "supabase_admin" else { throw administrators }
        throw AuthError(.invalidConfiguration, "The key is a token of role \(role). Use the project's anonymous key.")
    }

    private static let administrators = AuthError(
        .invalidConfiguration,
        "The key is an administrator's key. Anyone who has the app could read the key and use all its rights. Use the anonymous or publishable key."
    )
}

extension GoTrueConfiguration: AdapterConfiguration {
    /// Creates the adapter.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    /// - Returns: The adapter.
    public func adapter(
        over transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) -> GoTrueAdapter {
        GoTrueAdapter(self, transport: transport, clock: clock, randomness: randomness)
    }
}
