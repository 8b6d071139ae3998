@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

/// The adapter for Clerk.
///
/// It uses Clerk's Frontend API for native apps.
///
/// Clerk stores the state of a sign-in: a sign-up or sign-in is an attempt with a status. This device has the token of
/// its client. The access token is created from that token and lives for one minute.
///
/// ```swift
/// let adapter = try ClerkAdapter(publishableKey: "pk_live_…", callback: "myapp://auth/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct ClerkAdapter: AuthAdapter {
    let api: ClerkAPI

    /// Creates an adapter for an instance, with its dependencies.
    ///
    /// - Parameters:
    ///   - configuration: The instance and its settings.
    ///   - transport: Sends the requests.
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
    ///   - publishableKey: The publishable key, `pk_test_…` or `pk_live_…`.
    ///   - url: The URL of the API, if it is not the one in the key.
    ///   - callback: The URL at which the app receives links.
    ///   - confirmsByLink: Whether the instance verifies email addresses at sign-up with a link, not with a code.
    ///     Default: `false`.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``ClerkConfiguration/backend``.
    ///   - transport: Sends the requests.
    /// - Throws: `invalidConfiguration`; see ``ClerkConfiguration``.
    public init(
        publishableKey: String, url: String? = nil, callback: String? = nil, confirmsByLink: Bool = false,
        backend: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try ClerkConfiguration(
            publishableKey: publishableKey, url: url, callback: callback, confirmsByLink: confirmsByLink, backend: backend)
        self.init(configuration, transport: transport)
    }

    /// The name `clerk`.
    public var name: String { Self.name }
    static let name = "clerk"

    /// The name that the app gives the backend, or the URL of the Frontend API.
    public var backend: String { api.configuration.backend ?? api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// Password, codes by email and SMS, ID token, ticket and passkey.
    ///
    /// Links and OAuth are supported if there is a callback URL. Anonymous sign-in is not supported.
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

    /// Codes, new passwords, missing fields, second factors and passkeys.
    ///
    /// Links are supported if there is a callback URL.
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

    /// Access tokens that live for one minute, created from the client token.
    public var sessions: any SessionAuthority { ClerkSessions(api: api) }
    /// Links that return to the callback URL.
    public var callbacks: any CallbackReading { ClerkCallbacks(addresses: [api.configuration.callback].compactMap(\.self)) }
    /// Invitations, tickets in links, and links in emails whose request ended without a response.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// All scopes.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// A code, then a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The first and last name.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// With the current password.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With a code to the new email address, if the instance verifies email addresses with codes.
    public var emailChange: (any EmailChange)? { api.configuration.confirmsByLink ? nil : OwnEmailChange(api: api) }
    /// The user's external accounts.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// An authenticator app, and phones.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The passkeys of the user object.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// The user's memberships and the session's active organization, if the instance has organizations.
    public var organizations: (any OrganizationSwitching)? { OwnOrganizations(api: api) }
    /// A profile image, which Clerk stores.
    public var photoUpload: (any PhotoUpload)? { OwnPhoto(api: api) }
    /// Supported: Turnstile at sign-up.
    public var acceptsCaptcha: Bool { true }
    /// With the password, or with a code to the user's email address.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn() }
    /// Supported by instances that let users delete themselves.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// The executor of the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

/// The URL of an instance's Frontend API, its key and its settings.
///
/// It is validated when it is created.
///
/// ```swift
/// var configuration = try ClerkConfiguration(publishableKey: "pk_live_…", callback: "myapp://auth/callback")
/// configuration.deadline = .seconds(15)
/// let adapter = ClerkAdapter(configuration, transport: CurlTransport())
/// ```
public struct ClerkConfiguration: Sendable {
    /// The URL of the Frontend API without a trailing slash, such as `https://clerk.example.com`.
    public let url: String
    /// The URL at which the app receives links.
    ///
    /// If it is `nil`, links are neither requested nor accepted.
    public let callback: CallbackAddress?
    /// Whether a link, and not a code, verifies the email address at sign-up, as in the instance's settings ("Email
    /// verification link").
    ///
    /// It requires ``callback``.
    public let confirmsByLink: Bool
    /// Your own name for the backend, such as `orders-prod`, by which stored sessions are found again; `nil` for its address.
    ///
    /// Without a name, another URL of the API is another backend: users of a session of the former one are signed out as
    /// `backendChanged`. With a name, the address may change: to a custom domain, to a proxy, from `localhost` to
    /// `127.0.0.1`. Give each project its own name, and never give one project's name to another: its users' tokens would be
    /// sent there. An app that is already released gives the value that the adapter's `backend` had until then, so that its
    /// users stay signed in.
    public let backend: String?
    /// The minimum time between two codes to one address on Clerk: 30 seconds (FAPI reference: 429
    /// `verification_code_too_many_requests`).
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of codes and links if a response names none: 10 minutes.
    public var proofLife: Duration = .seconds(600)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - publishableKey: The publishable key, `pk_test_…` or `pk_live_…`. It contains the URL of the API.
    ///   - url: The URL of the API, if it is not the one in the key: your own proxy, or a local server.
    ///   - callback: The URL at which the app receives links.
    ///   - confirmsByLink: Whether the instance verifies email addresses at sign-up with a link, not with a code.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``ClerkConfiguration/backend``.
    /// - Throws: `invalidConfiguration` with the invalid value: a malformed key, a secret key, plain http to another
    ///   machine.
    public init(
        publishableKey: String, url: String? = nil, callback: String? = nil, confirmsByLink: Bool = false,
        backend: String? = nil
    ) throws(AuthError) {
        self.backend = try BackendAddress.checkedName(backend)
        guard callback != nil || !confirmsByLink else {
            throw AuthError(.invalidConfiguration, "Links that prove addresses need a callback address: give one.")
        }
        self.confirmsByLink = confirmsByLink
        let host = try Self.host(in: publishableKey)
        self.url = try BackendAddress(url ?? "https://\(host)", called: "API address").dropping("/v1").url
        self.callback =
            if let callback { try CallbackAddress(callback) } else { nil }
    }

    private static func host(in key: String) throws(AuthError) -> String {
        guard !key.hasPrefix("sk_") else {
            throw AuthError(
                .invalidConfiguration,
                "This is a secret key. Anyone who has the app could read it and do anything: give the publishable key (pk_…).")
        }
        guard key.hasPrefix("pk_test_") || key.hasPrefix("pk_live_") else {
            throw AuthError(
                .invalidConfiguration,
                key.isEmpty
                    ? "The publishable key is empty. Copy it from the dashboard; it begins with pk_test_ or pk_live_."
                    : "Invalid publishable key: it does not begin with pk_test_ or pk_live_. Copy the whole key from the dashboard."
            )
        }
        let parts = key.pieces(at: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "pk", ["test", "live"].contains(parts[1]), let bytes = Base64.decode(parts[2]),
            let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("$"), text.dropLast().contains("."),
            !text.dropLast().contains("$")
        else {
            throw AuthError(
                .invalidConfiguration,
                "Invalid publishable key \(key.debugDescription): its part after \(key.prefix(8)) is not the encoded name of the front-end "
                    + "API. Copy the whole key from the dashboard.")
        }
        return String(text.dropLast())
    }
}
