@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
public import LockstepWire

/// The adapter for Clerk, which uses Clerk's Frontend API for native apps.
///
/// Clerk stores the state of each sign-up and sign-in as an attempt with a status. The device stores a client token.
/// The adapter uses the client token to get access tokens, which are valid for one minute.
///
/// ```swift
/// let adapter = try ClerkAdapter(key: "pk_live_…", callback: "myapp://auth/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct ClerkAdapter: AuthAdapter {
    let api: ClerkAPI

    /// Creates an adapter from a configuration, with a clock and a source of randomness.
    ///
    /// - Parameters:
    ///   - configuration: The instance and its settings.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    public init(
        _ configuration: ClerkConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = ClerkAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// Creates an adapter for an instance.
    ///
    /// - Parameters:
    ///   - url: The URL of the API. Default: the URL in the key.
    ///   - key: The publishable key, `pk_test_…` or `pk_live_…`.
    ///   - callback: The URL at which the app receives links. Default: none.
    ///   - confirmsByLink: Whether a user verifies the email address at sign-up with a link, instead of a code.
    ///     Default: `false`.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``ClerkConfiguration/backend``. Default:
    ///     none.
    ///   - transport: The transport that sends the requests.
    /// - Throws: `invalidConfiguration` if a value is invalid; see ``ClerkConfiguration``.
    public init(
        url: String? = nil, key: String, callback: String? = nil, confirmsByLink: Bool = false, backend: String? = nil,
        transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try ClerkConfiguration(
            url: url, key: key, callback: callback, confirmsByLink: confirmsByLink, backend: backend)
        self.init(configuration, transport: transport)
    }

    /// The name `clerk`.
    public var name: String { Self.name }
    static let name = "clerk"

    /// The app's own name for the backend; without a name, the URL of the Frontend API.
    public var backend: String { api.configuration.backend ?? api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// The sign-in strategies: password, code by email, code by SMS, ID token, ticket and passkey.
    ///
    /// The adapter supports links and OAuth if the configuration has a callback URL. Clerk does not support anonymous
    /// users.
    public var signIn: SignInStrategies {
        PasswordSignIn(api: api)
        if takesLinks { EmailLinkSignIn(api: api) }
        EmailCodeSignIn(api: api)
        PhoneCodeSignIn(api: api)
        IDTokenSignIn(api: api)
        TicketSignIn(api: api)
        if takesLinks { OAuthSignIn(api: api) }
        PasskeySignIn(api: api)
    }

    /// The verification strategies: codes, new passwords, missing fields, second factors and passkeys.
    ///
    /// The adapter supports links if the configuration has a callback URL.
    public var verification: [any VerificationStrategy] {
        let strategies: [any VerificationStrategy] = [
            CodeVerification(api: api), NewPassword(api: api), MissingFields(api: api), SecondFactor(api: api),
            SecondFactor(api: api, capability: .backupCode), PasskeyVerification(api: api),
        ]
        guard takesLinks else { return strategies }
        let links = [LinkVerification(api: api)]
        return strategies + links
            + (api.configuration.confirmsByLink ? [LinkVerification(api: api, capability: .confirmationLink)] : [])
    }

    /// The component that refreshes, reloads and revokes sessions.
    ///
    /// An access token is valid for one minute. The adapter uses the client token to get a new access token.
    public var sessions: any SessionAuthority { ClerkSessions(api: api) }
    /// The component that reads links to the callback URL.
    public var callbacks: any CallbackReading { ClerkCallbacks(addresses: [api.configuration.callback].compactMap(\.self)) }
    /// The component that opens invitations, tickets in links, and links in emails, even if the email request got no
    /// response.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// The supported scopes of a sign-out, which are all scopes.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// The password reset, in which the user enters a code and then sets a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The change of the profile; Clerk stores a first name and a last name.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// The change of the password, which requires the current password.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// The change of the email address, which requires a code that Clerk sends to the new address.
    ///
    /// This change works if the instance verifies email addresses with codes.
    public var emailChange: (any EmailChange)? { api.configuration.confirmsByLink ? nil : OwnEmailChange(api: api) }
    /// The linking of identities, which Clerk calls external accounts.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// The second factors: one authenticator app, and phones.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The management of the user's passkeys, which are part of Clerk's user object.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// The user's organizations and the session's active organization, if the instance has organizations.
    public var organizations: (any OrganizationSwitching)? { OwnOrganizations(api: api) }
    /// The upload of a photo, which Clerk stores as the profile image.
    public var photoUpload: (any PhotoUpload)? { OwnPhoto(api: api) }
    /// Whether the adapter supports captchas; `true`, because it supports Turnstile at sign-up.
    public var acceptsCaptcha: Bool { true }
    /// The reauthentication with the password, or with a code to the user's email address.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn() }
    /// The deletion of the account, which works if the instance lets users delete their accounts.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// The executor of the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

/// The configuration of an instance, with the URL of the Frontend API and the settings.
///
/// The initializer checks all values.
///
/// ```swift
/// var configuration = try ClerkConfiguration(key: "pk_live_…", callback: "myapp://auth/callback")
/// configuration.deadline = .seconds(15)
/// let adapter = ClerkAdapter(configuration, transport: CurlTransport())
/// ```
public struct ClerkConfiguration: Sendable {
    /// The URL of the Frontend API without a trailing slash, such as `https://clerk.example.com`.
    public let url: String
    /// The publishable key, `pk_test_…` or `pk_live_…`.
    public let key: String
    /// The host of the instance's front-end API, as the publishable key names it.
    let instance: String
    /// The URL at which the app receives links.
    ///
    /// If the callback is `nil`, the adapter neither requests nor accepts links.
    public let callback: CallbackAddress?
    /// Whether a user verifies the email address at sign-up with a link, instead of a code.
    ///
    /// Use the same value as in the instance's settings ("Email verification link"). If it is `true`, ``callback`` must
    /// be set.
    public let confirmsByLink: Bool
    /// Your own name for the backend, such as `orders-prod`; `nil` if the URL of the API serves as the name.
    ///
    /// The client stores a session under this name. Without a name, the client treats a new URL as another backend. It
    /// then signs users out with the reason `backendChanged`. With a name, you can change the URL, for example to a
    /// custom domain, to a proxy, or from `localhost` to `127.0.0.1`.
    ///
    /// Give each project its own name. If two projects have the same name, the client sends the tokens of one project
    /// to the other. If you add a name to a released app, use the adapter's current `backend`. Otherwise, users are
    /// signed out.
    public let backend: String?
    /// The minimum time between two codes to one address.
    ///
    /// Clerk requires 30 seconds (FAPI reference: 429 `verification_code_too_many_requests`).
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of a code or link if Clerk's response does not contain one.
    public var proofLife: Duration = .seconds(600)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - url: The URL of the API, for example of your own proxy or a local server. Default: the URL in the key.
    ///   - key: The publishable key, `pk_test_…` or `pk_live_…`. The key contains the URL of the API.
    ///   - callback: The URL at which the app receives links. Default: none.
    ///   - confirmsByLink: Whether a user verifies the email address at sign-up with a link, instead of a code.
    ///     Default: `false`.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``ClerkConfiguration/backend``. Default:
    ///     none.
    /// - Throws: `invalidConfiguration` if the key is malformed or is a secret key, or if a URL is invalid or uses
    ///   plain http to another machine.
    public init(
        url: String? = nil, key: String, callback: String? = nil, confirmsByLink: Bool = false, backend: String? = nil
    ) throws(AuthError) {
        self.backend = try BackendAddress.checkedName(backend)
        guard callback != nil || !confirmsByLink else {
            throw AuthError(
                .invalidConfiguration, "Links that verify addresses need a callback address. Set one in the configuration.")
        }
        self.confirmsByLink = confirmsByLink
        self.key = key
        instance = try Self.host(in: key)
        self.url = try BackendAddress(url ?? "https://\(instance)", called: "API address").dropping("/v1").url
        self.callback =
            if let callback { try CallbackAddress(callback) } else { nil }
    }

    private static func host(in key: String) throws(AuthError) -> String {
        guard !key.hasPrefix("sk_") else {
            throw AuthError(
                .invalidConfiguration,
                "This is a secret key. Anyone who has the app could read the key and use all its rights. Use the publishable key (pk_…)."
            )
        }
        guard key.hasPrefix("pk_test_") || key.hasPrefix("pk_live_") else {
            throw AuthError(
                .invalidConfiguration,
                key.isEmpty
                    ? "The publishable key is empty. Copy it from the dashboard; it starts with pk_test_ or pk_live_."
                    : "Invalid publishable key: it does not start with pk_test_ or pk_live_. Copy the whole key from the dashboard."
            )
        }
        let parts = key.pieces(at: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "pk", ["test", "live"].contains(parts[1]), let bytes = Base64.decode(parts[2]),
            let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("$"), text.dropLast().contains("."),
            !text.dropLast().contains("$")
        else {
            throw AuthError(
                .invalidConfiguration,
                "Invalid publishable key \(key.debugDescription): the part after \(key.prefix(8)) is not the encoded name of the front-end "
                    + "API. Copy the whole key from the dashboard.")
        }
        return String(text.dropLast())
    }
}

extension ClerkConfiguration: AdapterConfiguration {
    /// Creates the adapter.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    /// - Returns: The adapter.
    public func adapter(
        over transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) -> ClerkAdapter {
        ClerkAdapter(self, transport: transport, clock: clock, randomness: randomness)
    }
}
