@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
public import LockstepWire

/// The adapter for Firebase Authentication.
///
/// Firebase creates a session before the user has verified the email address. Until the verification, the session has
/// limited rights. The app learns about the verification when it opens the link, or when it asks the backend (`poll`).
/// A refresh does not change the refresh token. A sign-out affects only this device, unless the app's own server ends
/// all sessions.
///
/// The capabilities depend on the configuration. Links and web pages require a callback URL, and codes by SMS require
/// an ``AppProof``.
///
/// ```swift
/// let adapter = try FirebaseAdapter(
///     key: "AIza…", callback: "https://app.example.com/callback", transport: .curl)
/// let client = AuthClient(adapter: adapter, store: store)
/// ```
public struct FirebaseAdapter: AuthAdapter {
    let api: FirebaseAPI

    /// Creates an adapter from a configuration, with a clock and a source of randomness.
    ///
    /// - Parameters:
    ///   - configuration: The project and its settings.
    ///   - transport: The transport that sends the requests.
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
    ///   - url: The URL of an emulator. Default: Google's own servers.
    ///   - key: The project's web API key (`apiKey` in the settings).
    ///   - callback: The URL at which the app receives links. Default: none.
    ///   - actionLinks: The URL of the project's action links, if they open the app. Default: none.
    ///   - tenant: The tenant of the users that the app signs in. Default: none.
    ///   - sessionEnding: The URL of your own function that ends all sessions of its caller. Default: none.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``FirebaseConfiguration/backend``.
    ///     Default: none.
    ///   - transport: The transport that sends the requests.
    /// - Throws: `invalidConfiguration` if a value is invalid; see ``FirebaseConfiguration``.
    public init(
        url: String? = nil, key: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil,
        sessionEnding: String? = nil, backend: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try FirebaseConfiguration(
            url: url, key: key, callback: callback, actionLinks: actionLinks, tenant: tenant, sessionEnding: sessionEnding,
            backend: backend)
        self.init(configuration, transport: transport)
    }

    /// The name `firebase`.
    public var name: String { Self.name }
    static let name = "firebase"

    /// The app's own name for the backend; without a name, the URL of the account service with the API key.
    ///
    /// If the configuration has a tenant, this name ends with the tenant.
    public var backend: String {
        let address = api.configuration.identityToolkit + "#" + FlowMemory.digest(api.configuration.key)
        let project = api.configuration.backend ?? address
        return api.configuration.tenant.map { project + "#" + $0 } ?? project
    }

    private var takesLinks: Bool { api.configuration.continueURL != nil }

    /// The sign-in strategies: password, anonymous, ID token, and ticket (custom token).
    ///
    /// The adapter supports links and OAuth if the callback URL is a web page. If the app has an ``AppProof``, the
    /// adapter supports codes by SMS. If the project has passkeys, the adapter supports passkeys.
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

    /// The verification strategies: `poll`, new passwords after a reset, second factors and codes.
    ///
    /// The adapter supports links if the app has a URL that receives them, and passkeys if the project has them.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [PollVerification(api: api)]
        if !api.configuration.addresses.isEmpty { strategies.append(LinkVerification(api: api)) }
        if api.configuration.hasPasskeys { strategies.append(PasskeyVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), CodeVerification(api: api)]
    }

    /// The component that refreshes, reloads and revokes sessions; a refresh does not change the refresh token.
    public var sessions: any SessionAuthority { FirebaseSessions(api: api) }
    /// The component that reads action links and the redirects of identity providers.
    public var callbacks: any CallbackReading { FirebaseCallbacks(addresses: api.configuration.addresses) }
    /// The component that opens links in emails, even if the email request got no response.
    public var unrequestedLinks: (any UnrequestedLinks)? {
        api.configuration.addresses.isEmpty ? nil : OpenedLinks(api: api)
    }
    /// The scopes of a sign-out that the backend supports.
    ///
    /// A sign-out can end the current session. If your own server has a function that ends all sessions, a sign-out can
    /// also end all sessions.
    public var signOutScopes: Set<SignOutScope> {
        api.configuration.sessionEnding == nil ? [.local] : [.local, .everywhere]
    }
    /// The password reset, in which the user opens a link and then sets a new password.
    ///
    /// If action links open the app, the user sets the new password in the app. Otherwise, the user sets it on
    /// Firebase's web page.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// The change of the profile, which consists of the name and the URL of the photo.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// The change of the password, which requires a recent sign-in or the current password.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// The change of the email address, which requires the verification of the new address.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// The linking of identities.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// The second factors: authenticator apps, and phones if the app has a proof.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The management of passkeys, if the project has passkeys.
    ///
    /// The user can list and remove passkeys. Firebase has no endpoint that renames a passkey.
    public var passkeys: (any PasskeyManagement)? { api.configuration.hasPasskeys ? OwnPasskeys(api: api) : nil }
    /// The reauthentication, in which the user signs in again.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn(configuration: api.configuration) }
    /// The email verification for a user who already has a session.
    ///
    /// Firebase signs a user in immediately, before the verification.
    public var addressVerification: (any AddressVerification)? { DueAddressVerification(api: api) }
    /// The deletion of the account, which requires a recent sign-in.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// Whether the adapter supports captchas; `true`, because it supports reCAPTCHA Enterprise in calls with email and
    /// password.
    public var acceptsCaptcha: Bool { true }
    /// The executor of the transport's own thread.
    public var executor: (any TaskExecutor)? { api.accounts.executor }
}

/// The configuration of a Firebase project, with the key, the URLs and the settings.
///
/// The initializer checks all values.
///
/// ```swift
/// var configuration = try FirebaseConfiguration(key: "AIza…", callback: "https://app.example.com/callback")
/// configuration.appName = "Orders"
/// configuration.locale = "de"
/// let adapter = FirebaseAdapter(configuration, transport: CurlTransport())
/// ```
public struct FirebaseConfiguration: Sendable {
    /// The project's web API key.
    public let key: String
    /// The URL of an emulator; `nil` to use Google's own servers.
    public let url: String?
    /// The URL at which the app receives links.
    ///
    /// If the URL is a web page on a domain that the project authorizes, Firebase's pages redirect to it
    /// (`continueUrl`). Firebase rejects a URL with the app's own scheme (`INVALID_CONTINUE_URI`), so the adapter never
    /// sends such a URL. In that case, the user's flow ends on Firebase's page, and the app asks the backend for the
    /// result (`poll`). Sign-in links are not supported.
    ///
    /// For OAuth, also register the URL with each identity provider, as a redirect URI of the project's client id. The
    /// provider's page redirects directly to this URL, and the adapter sends the URL to Firebase unchanged.
    public let callback: CallbackAddress?
    /// The URL of the project's action links, if they open the app.
    ///
    /// The URL is the "action URL" of the message templates, such as `https://project.firebaseapp.com/__/auth/action`.
    /// It must be a universal link of the app. If the value is `nil`, Firebase's pages handle the links, and the app
    /// asks the backend for the result (`poll`).
    public let actionLinks: CallbackAddress?
    /// The tenant (Identity Platform) of the users that the app signs in; `nil` to sign in the project's own users.
    ///
    /// The adapter rejects tokens of another tenant, and never uses a session for another tenant.
    public let tenant: String?
    /// The URL of the function on your own server that ends all sessions of its caller; `nil` if there is no such function.
    ///
    /// If the value is `nil`, the adapter does not support a sign-out on all devices. Firebase allows only
    /// administrators to end sessions.
    ///
    /// Write an HTTP function (`onRequest`). Do not use a callable function, because its response format is different.
    /// The adapter sends a `POST` with an empty JSON object and the user's ID token in `Authorization: Bearer …`. If
    /// ``appCheck`` is set, the header `X-Firebase-AppCheck` contains its token. The function must verify the ID token,
    /// end the user's sessions (`revokeRefreshTokens` of the Admin SDKs), and respond:
    ///
    /// | response | meaning | | --- | --- | | 204, or 200 with `{"ended": true}` | every session of the user has ended
    /// | | 401, or Google's status `UNAUTHENTICATED` | the token is rejected; the client calls again with a new one | |
    /// anything else | the sessions continue, and the sign-out fails |
    public let sessionEnding: String?
    /// Your own name for the backend, such as `orders-prod`; `nil` if the URL and the API key serve as the name.
    ///
    /// The client stores a session under this name. Without a name, the client treats the project as another backend if
    /// you change the API key or the URL. It then signs users out with the reason `backendChanged`. With a name, you
    /// can change the URL, for example to a proxy, or from `localhost` to `127.0.0.1`.
    ///
    /// Give each project its own name. If two projects have the same name, the client sends the tokens of one project
    /// to the other. If you add a name to a released app, use the adapter's current `backend`. Otherwise, users are
    /// signed out.
    public let backend: String?
    /// A function that returns the app's proof for an SMS to the given phone number.
    ///
    /// The adapter calls the function for each SMS. At a sign-in with a second factor, the phone number is masked,
    /// because Firebase returns only a masked number. Firebase's servers send no SMS without a proof. So if this value
    /// is `nil`, the adapter does not support codes by SMS. Users also cannot add a phone as a second factor.
    public var appProof: (@Sendable (_ phone: String) async throws(AuthError) -> AppProof)?
    /// The platform of the tokens in ``ChallengeResponse/captcha(_:)``, if the project requires reCAPTCHA Enterprise.
    public var captchaClient: AppProof.Client = .apple
    /// A function that returns an App Check token for a request; `nil` if the project does not enforce App Check.
    public var appCheck: (@Sendable () async throws(AuthError) -> Secret)?
    /// Whether the project has passkeys, so that the adapter supports them.
    ///
    /// Passkeys are a preview at Google. Google's public description of the service does not list the endpoints (such
    /// as `accounts/passkeySignIn:start`). No released SDK calls these endpoints. If the project does not have
    /// passkeys, these calls fail with `notEnabled`.
    public var hasPasskeys = false
    /// The name that authenticator apps show for an account; `nil` to show the project id.
    public var appName: String?
    /// The language of messages, as a BCP 47 tag.
    public var locale: String?
    /// The minimum time between two messages to one address.
    ///
    /// Firebase itself specifies no such time.
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of a code by SMS.
    ///
    /// Firebase does not document this lifetime. Developers report ten minutes.
    public var smsProofLife: Duration = .seconds(600)
    /// The time limit of a request.
    public var deadline: Duration = .seconds(30)

    /// Creates a configuration and validates it.
    ///
    /// - Parameters:
    ///   - url: The URL of an emulator, such as `http://127.0.0.1:9099`. Default: Google's own servers.
    ///   - key: The project's web API key (`apiKey` in the settings).
    ///   - callback: The URL at which the app receives links. Firebase's pages return to a web page on a domain that
    ///     the project authorizes, such as `https://app.example.com/callback`. They do not return to a URL with the
    ///     app's own scheme. Default: none.
    ///   - actionLinks: The URL of the project's action links, if they open the app. Default: none.
    ///   - tenant: The tenant of the users that the app signs in. Default: none.
    ///   - sessionEnding: The URL of your own function that ends all sessions of its caller. Default: none.
    ///   - backend: Your own name for the backend, such as `orders-prod`; see ``FirebaseConfiguration/backend``.
    ///     Default: none.
    /// - Throws: `invalidConfiguration` if a value is invalid; the message names the value.
    public init(
        url: String? = nil, key: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil,
        sessionEnding: String? = nil, backend: String? = nil
    ) throws(AuthError) {
        try Self.check(key)
        self.backend = try BackendAddress.checkedName(backend)
        guard tenant.map(BackendPath.isSegment) != false else {
            throw AuthError(
                .invalidConfiguration, "The tenant is not a valid id. Use the id from the console, such as `shop-a1b2c`.")
        }
        self.tenant = tenant
        self.sessionEnding =
            if let sessionEnding {
                try BackendAddress(sessionEnding, called: "address of the function that ends sessions").url
            } else { nil }
        self.key = key
        self.url = try Self.address(url)
        self.callback = if let callback { try CallbackAddress(callback) } else { nil }
        self.actionLinks = if let actionLinks { try CallbackAddress(actionLinks) } else { nil }
    }

    /// The `continueUrl` of Firebase's pages, which sign-in links require.
    var continueURL: String? {
        callback.flatMap { callback in
            let url = callback.url.lowercased()
            return url.hasPrefix("https://") || url.hasPrefix("http://") ? callback.url : nil
        }
    }

    /// Whether Firebase can send an SMS; an emulator requires no proof of the app.
    var sendsSMS: Bool { url != nil || appProof != nil }
    /// Whether users can sign in with a code by SMS.
    ///
    /// Tenants do not support this (`UNSUPPORTED_TENANT_OPERATION`).
    var takesPhoneCodes: Bool { sendsSMS && tenant == nil }

    /// The URL of the account service.
    ///
    /// On an emulator, the paths begin with the host's name.
    var identityToolkit: String { service("identitytoolkit.googleapis.com") }
    /// The address of the token service.
    var secureToken: String { service("securetoken.googleapis.com") }

    private func service(_ host: String) -> String { url.map { "\($0)/\(host)" } ?? "https://\(host)" }

    /// The URLs at which the app receives links.
    public var addresses: [CallbackAddress] { [actionLinks, callback].compactMap { $0 } }
}

extension FirebaseConfiguration {
    /// Checks the URL of an emulator, which may end with the name of one of Google's servers; returns `nil` for
    /// Google's own servers.
    package static func address(_ url: String?) throws(AuthError) -> String? {
        let servers = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com"]
        return try BackendAddress.relay(url, for: servers, called: "emulator's address")?.url
    }

    private static func check(_ text: String) throws(AuthError) {
        guard !text.isEmpty else {
            throw AuthError(.invalidConfiguration, "The API key is empty. Use the project's web API key.")
        }
        guard !text.contains("private_key"), !text.contains("PRIVATE KEY"), !text.hasPrefix("ya29."), text.lowercased() != "owner"
        else {
            throw AuthError(
                .invalidConfiguration,
                "The key is an administrator's key. Anyone who has the app could read the key and use all its rights. Use the project's web API key."
            )
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw AuthError(
                .invalidConfiguration, "The API key contains spaces or control characters. Copy it again, without line breaks.")
        }
    }
}

extension FirebaseConfiguration: AdapterConfiguration {
    /// Creates the adapter.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - clock: The device's clock.
    ///   - randomness: The source of random bytes.
    /// - Returns: The adapter.
    public func adapter(
        over transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) -> FirebaseAdapter {
        FirebaseAdapter(self, transport: transport, clock: clock, randomness: randomness)
    }
}
