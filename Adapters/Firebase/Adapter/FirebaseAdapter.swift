@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

/// The adapter for Firebase Authentication.
///
/// Firebase creates a session before the email address is verified. It is limited until then, and the app polls (`poll`)
/// or handles the link. Refresh tokens do not rotate. A sign-out only affects this device, unless the app's own server
/// ends all sessions. The capabilities follow from the configuration: links and web pages need a callback URL, and codes
/// by SMS need an ``AppProof``.
///
/// ```swift
/// let adapter = try FirebaseAdapter(
///     apiKey: "AIza…", callback: "https://app.example.com/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct FirebaseAdapter: AuthAdapter {
    let api: FirebaseAPI

    /// Creates an adapter for a project, with its dependencies.
    ///
    /// - Parameters:
    ///   - configuration: The project and its settings.
    ///   - transport: Sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    public init(
        _ configuration: FirebaseConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = FirebaseAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// Creates an adapter for a project.
    ///
    /// - Parameters:
    ///   - apiKey: The project's web API key.
    ///   - callback: The URL at which the app receives links.
    ///   - actionLinks: The URL of the project's action links, if they open the app.
    ///   - tenant: The tenant whose users the app signs in.
    ///   - sessionEnding: The URL of your own function that ends all sessions of its caller.
    ///   - url: The URL of an emulator. Default: Google's own servers.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``FirebaseConfiguration/backend``.
    ///   - transport: Sends the requests.
    /// - Throws: `invalidConfiguration`; see ``FirebaseConfiguration``.
    public init(
        apiKey: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, sessionEnding: String? = nil,
        url: String? = nil, backend: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try FirebaseConfiguration(
            apiKey: apiKey, callback: callback, actionLinks: actionLinks, tenant: tenant, sessionEnding: sessionEnding,
            url: url, backend: backend)
        self.init(configuration, transport: transport)
    }

    /// The name `firebase`.
    public var name: String { Self.name }
    static let name = "firebase"

    /// The name that the app gives the backend, or the account service and the API key; then the tenant, if there is one.
    public var backend: String {
        let address = api.configuration.identityToolkit + "#" + FlowMemory.digest(api.configuration.apiKey)
        let project = api.configuration.backend ?? address
        return api.configuration.tenant.map { project + "#" + $0 } ?? project
    }

    private var takesLinks: Bool { api.configuration.continueURL != nil }

    /// Password, anonymous, ID token, and tickets (custom tokens).
    ///
    /// Sign-in links and OAuth are supported if the callback URL is a web page, codes by SMS if the app has a proof, and
    /// passkeys if the project has them.
    public var signIn: SignInStrategies {
        PasswordSignIn(api: api)
        if takesLinks { EmailLinkSignIn(api: api) }
        if api.configuration.takesPhoneCodes { PhoneCodeSignIn(api: api) }
        AnonymousSignIn(api: api)
        IDTokenSignIn(api: api)
        if takesLinks { OAuthSignIn(api: api) }
        TicketSignIn(api: api)
        if api.configuration.hasPasskeys { PasskeySignIn(api: api) }
    }

    /// Polling, new passwords after a reset, second factors and codes.
    ///
    /// Links are supported if the app has a URL that receives them, and passkeys if the project has them.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [PollVerification(api: api)]
        if !api.configuration.addresses.isEmpty { strategies.append(LinkVerification(api: api)) }
        if api.configuration.hasPasskeys { strategies.append(PasskeyVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), CodeVerification(api: api)]
    }

    /// Sessions with refresh tokens that do not rotate.
    public var sessions: any SessionAuthority { FirebaseSessions(api: api) }
    /// Action links, and redirects from identity providers.
    public var callbacks: any CallbackReading { FirebaseCallbacks(addresses: api.configuration.addresses) }
    /// Links in emails whose request ended without a response.
    public var unrequestedLinks: (any UnrequestedLinks)? {
        api.configuration.addresses.isEmpty ? nil : OpenedLinks(api: api)
    }
    /// The current session, and all sessions if your own server ends them.
    public var signOutScopes: Set<SignOutScope> {
        api.configuration.sessionEnding == nil ? [.local] : [.local, .everywhere]
    }
    /// A link, then a new password: in the app if action links open it, otherwise on Firebase's web page.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The name and the photo.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// After a recent sign-in, or with the current password.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With the verification of the new email address.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// The user's identities.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// Authenticator apps, and phones if the app has a proof.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// Listing and removing, if the project has passkeys.
    ///
    /// Firebase has no endpoint to rename one.
    public var passkeys: (any PasskeyManagement)? { api.configuration.hasPasskeys ? OwnPasskeys(api: api) : nil }
    /// By signing in again.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn(configuration: api.configuration) }
    /// After the session, because Firebase signs users in immediately.
    public var addressProof: (any AddressProof)? { DueAddressProof(api: api) }
    /// After a recent sign-in.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// Supported: reCAPTCHA Enterprise for calls with email address and password.
    public var acceptsCaptcha: Bool { true }
    /// The executor of the transport's own thread.
    public var executor: (any TaskExecutor)? { api.accounts.executor }
}

/// An app's Firebase project, and the URLs to which its messages return.
///
/// It is validated when it is created.
///
/// ```swift
/// var configuration = try FirebaseConfiguration(apiKey: "AIza…", callback: "https://app.example.com/callback")
/// configuration.appName = "Orders"
/// configuration.locale = "de"
/// let adapter = FirebaseAdapter(configuration, transport: CurlTransport())
/// ```
public struct FirebaseConfiguration: Sendable {
    /// The project's web API key.
    public let apiKey: String
    /// The URL of an emulator; `nil` for Google's own servers.
    public let url: String?
    /// The URL at which the app receives links.
    ///
    /// If it is a web page on a domain that the project authorizes, Firebase's pages return to it (`continueUrl`).
    /// Firebase rejects an app's own scheme (`INVALID_CONTINUE_URI`), so such a URL is never sent. Then the pages end at
    /// Firebase, the app polls, and there are no sign-in links.
    ///
    /// For OAuth, also register the URL with each identity provider, as a redirect URI of the project's client id. The
    /// provider's page redirects straight to it, and the adapter passes the callback URL on unchanged.
    public let callback: CallbackAddress?
    /// The URL of the project's action links, if they open the app.
    ///
    /// It is the "action URL" of the message templates, such as `https://project.firebaseapp.com/__/auth/action`, set up
    /// as a universal link of the app. Without it, Firebase's pages handle confirmations, and the app polls.
    public let actionLinks: CallbackAddress?
    /// The tenant (Identity Platform) whose users the app signs in; `nil` for the project's own users.
    ///
    /// Tokens of another tenant are rejected. The session of one tenant is never used for another.
    public let tenant: String?
    /// The URL of your own server function that ends all sessions of its caller; `nil` if there is none.
    ///
    /// Then a sign-out on all devices is not supported.
    ///
    /// Firebase allows only administrators to end sessions. The function is an HTTP function (`onRequest`); a callable
    /// function has another response format. The adapter sends a `POST` with an empty JSON object and the user's ID token
    /// in `Authorization: Bearer …`. If ``appCheck`` is set, it adds its token in `X-Firebase-AppCheck`. The function
    /// must verify the ID token, end the user's sessions (`revokeRefreshTokens` of the Admin SDKs), and respond:
    ///
    /// | response | meaning |
    /// | --- | --- |
    /// | 204, or 200 with `{"ended": true}` | every session of the user has ended |
    /// | 401, or Google's status `UNAUTHENTICATED` | the token is rejected; the client calls again with a new one |
    /// | anything else | the sessions continue, and the sign-out fails |
    public let sessionEnding: String?
    /// Your own name for the backend, such as `orders-prod`, by which stored sessions are found again; `nil` for its address.
    ///
    /// Without a name, another API key or URL is another backend: users of a session of the former one are signed out as
    /// `backendChanged`. With a name, the address may change: to a custom domain, to a proxy, from `localhost` to
    /// `127.0.0.1`. Give each project its own name, and never give one project's name to another: its users' tokens would be
    /// sent there. An app that is already released gives the value that the adapter's `backend` had until then, so that its
    /// users stay signed in.
    public let backend: String?
    /// Returns the proof of the app before an SMS is sent to a phone number.
    ///
    /// It is called for every SMS.
    ///
    /// At a sign-in with a second factor, Firebase returns only a masked phone number. Without this proof, SMS are only
    /// sent by an emulator. Then codes by SMS are not supported, and a phone cannot be added as a second factor.
    public var appProof: (@Sendable (_ phone: String) async throws(AuthError) -> AppProof)?
    /// The platform of captcha tokens (``ChallengeResponse/captcha(_:)``), if the project requires reCAPTCHA Enterprise.
    public var captchaClient: AppProof.Client = .apple
    /// Returns an App Check token for each request; `nil` if the project does not enforce App Check.
    public var appCheck: (@Sendable () async throws(AuthError) -> Secret)?
    /// Whether the project has passkeys.
    ///
    /// If it is `false`, the adapter does not support them.
    ///
    /// Google has them as a preview. Its public description of the service does not list the endpoints
    /// (`accounts/passkeySignIn:start` and similar), and no released SDK calls them. A project without passkeys rejects
    /// them as `notEnabled`.
    public var hasPasskeys = false
    /// The name that authenticator apps show next to an account.
    ///
    /// Default: the project id.
    public var appName: String?
    /// The language of messages, as a BCP 47 tag.
    public var locale: String?
    /// The minimum time between two messages to one address.
    ///
    /// Firebase itself specifies none.
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of a code by SMS.
    ///
    /// Firebase does not document it; ten minutes are reported.
    public var smsProofLife: Duration = .seconds(600)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - apiKey: The project's web API key.
    ///   - callback: The URL at which the app receives links. With `https://app.example.com/callback` on a domain that
    ///     the project authorizes, Firebase's pages return to the app. With the app's own scheme, they do not.
    ///   - actionLinks: The URL of the project's action links, if they open the app.
    ///   - tenant: The tenant whose users the app signs in.
    ///   - sessionEnding: The URL of your own function that ends all sessions of its caller.
    ///   - url: The URL of an emulator, such as `http://127.0.0.1:9099`. Default: Google's own servers.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``FirebaseConfiguration/backend``.
    /// - Throws: `invalidConfiguration` with the invalid value.
    public init(
        apiKey: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, sessionEnding: String? = nil,
        url: String? = nil, backend: String? = nil
    ) throws(AuthError) {
        try Self.check(apiKey)
        self.backend = try BackendAddress.checkedName(backend)
        guard tenant.map(BackendPath.isSegment) != false else {
            throw AuthError(
                .invalidConfiguration, "The tenant is no id: give the one that the console shows, such as `shop-a1b2c`.")
        }
        self.tenant = tenant
        self.sessionEnding =
            if let sessionEnding { try BackendAddress(sessionEnding, called: "address that ends sessions").url } else { nil }
        self.apiKey = apiKey
        self.url = try Self.address(url)
        self.callback = if let callback { try CallbackAddress(callback) } else { nil }
        self.actionLinks = if let actionLinks { try CallbackAddress(actionLinks) } else { nil }
    }

    /// The `continueUrl` of Firebase's pages; sign-in links need it.
    var continueURL: String? {
        callback.flatMap { callback in
            let url = callback.url.lowercased()
            return url.hasPrefix("https://") || url.hasPrefix("http://") ? callback.url : nil
        }
    }

    /// Whether Firebase can be asked for an SMS: an emulator wants no proof of the app.
    var sendsSMS: Bool { url != nil || appProof != nil }
    /// Whether a code by SMS signs in: tenants do not support phone sign-in (`UNSUPPORTED_TENANT_OPERATION`).
    var takesPhoneCodes: Bool { sendsSMS && tenant == nil }

    /// The address of the account service: an emulator carries the host's name as the first part of its paths.
    var identityToolkit: String { service("identitytoolkit.googleapis.com") }
    /// The address of the token service.
    var secureToken: String { service("securetoken.googleapis.com") }

    private func service(_ host: String) -> String { url.map { "\($0)/\(host)" } ?? "https://\(host)" }

    /// The URLs at which the app receives links.
    public var addresses: [CallbackAddress] { [actionLinks, callback].compactMap { $0 } }
}

extension FirebaseConfiguration {
    /// Checks the address of an emulator, with or without the name of a server of Google's at its end; `nil` for Google's own.
    package static func address(_ url: String?) throws(AuthError) -> String? {
        let servers = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com"]
        return try BackendAddress.relay(url, for: servers, called: "emulator's address")?.url
    }

    private static func check(_ text: String) throws(AuthError) {
        guard !text.isEmpty else {
            throw AuthError(.invalidConfiguration, "The API key is empty: give the project's web API key.")
        }
        guard !text.contains("private_key"), !text.contains("PRIVATE KEY"), !text.hasPrefix("ya29."), text.lowercased() != "owner"
        else {
            throw AuthError(
                .invalidConfiguration,
                "The key is an administrator's. Anyone who has the app could read it and do anything: give the project's web API key."
            )
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The API key holds spaces or control characters: copy it again, without line ends.")
        }
    }
}
