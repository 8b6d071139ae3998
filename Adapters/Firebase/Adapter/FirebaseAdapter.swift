@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

/// Firebase Authentication.
///
/// A session exists before the address is proven: it is limited until then, and the app polls (`poll`) or passes the link on.
/// Refresh tokens do not rotate, and a sign-out reaches this device only, unless the team's own server ends all sessions. What the adapter
/// can do follows from its configuration: links and pages need a callback address, codes by SMS a proof of the app.
public struct FirebaseAdapter: AuthAdapter {
    let api: FirebaseAPI

    /// An adapter for a project, with its dependencies.
    public init(
        _ configuration: FirebaseConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = FirebaseAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// An adapter for a project.
    ///
    /// - Throws: `invalidConfiguration`; see ``FirebaseConfiguration/init(apiKey:callback:actionLinks:tenant:sessionEnding:url:)``.
    public init(
        apiKey: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, sessionEnding: String? = nil,
        url: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try FirebaseConfiguration(
            apiKey: apiKey, callback: callback, actionLinks: actionLinks, tenant: tenant, sessionEnding: sessionEnding,
            url: url)
        self.init(configuration, transport: transport)
    }

    /// `firebase`.
    public var name: String { Self.name }
    static let name = "firebase"

    /// The account service and the API key, which names the project; the tenant where there is one.
    public var backend: String {
        let project = api.configuration.identityToolkit + "#" + FlowMemory.digest(api.configuration.apiKey)
        return api.configuration.tenant.map { project + "#" + $0 } ?? project
    }

    private var takesLinks: Bool { api.configuration.continueURL != nil }

    /// Password, guest, ID token, tickets (custom tokens); sign-in links and OAuth where the callback address is a web page; codes by SMS
    /// where the app can prove itself; passkeys where the project has them.
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

    /// Polling, links where an address receives them, passkeys where the project has them, new passwords after a reset, second factors,
    /// codes.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [PollVerification(api: api)]
        if !api.configuration.addresses.isEmpty { strategies.append(LinkVerification(api: api)) }
        if api.configuration.hasPasskeys { strategies.append(PasskeyVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), CodeVerification(api: api)]
    }

    /// Refresh tokens that do not rotate.
    public var sessions: any SessionAuthority { FirebaseSessions(api: api) }
    /// Action links, and the ends of round trips.
    public var callbacks: any CallbackReading { FirebaseCallbacks(addresses: api.configuration.addresses) }
    /// Links of mails whose request ended before its answer came.
    public var unrequestedLinks: (any UnrequestedLinks)? {
        api.configuration.addresses.isEmpty ? nil : OpenedLinks(api: api)
    }
    /// This one, and all where the team's own server ends them.
    public var signOutScopes: Set<SignOutScope> {
        api.configuration.sessionEnding == nil ? [.local] : [.local, .everywhere]
    }
    /// By link, then a new password: in the app where action links open it, on Firebase's page otherwise.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// Name and photo.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// Soon after a sign-in, or with the current password.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With the proof of the new address.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// Identities.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// Authenticator apps, and phones where the app can prove itself.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// Listing and removing, where the project has passkeys; Firebase has no call that renames one.
    public var passkeys: (any PasskeyManagement)? { api.configuration.hasPasskeys ? OwnPasskeys(api: api) : nil }
    /// By signing in again.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn(configuration: api.configuration) }
    /// After the session: Firebase signs in at once.
    public var addressProof: (any AddressProof)? { DueAddressProof(api: api) }
    /// Soon after a sign-in.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// reCAPTCHA Enterprise, for what users do by address and password.
    public var acceptsCaptcha: Bool { true }
    /// Blocking work runs on the transport's own thread.
    public var executor: (any TaskExecutor)? { api.accounts.executor }
}

/// An app's Firebase project, and the addresses that its messages lead back to; validated at creation.
public struct FirebaseConfiguration: Sendable {
    /// The project's web API key.
    public let apiKey: String
    /// The address of an emulator; `nil` for Google's own servers.
    public let url: String?
    /// Where the app takes links back.
    ///
    /// Firebase's pages lead there (`continueUrl`) where it is a page itself, of a domain that the project authorises. It refuses an
    /// app's own scheme (`INVALID_CONTINUE_URI`), which is therefore never sent: the pages end at Firebase then, the app polls, and
    /// there are no sign-in links.
    ///
    /// For OAuth the address is also registered with each identity provider, as redirect URI of the client id that the project uses
    /// there: the provider's page leads straight to it, and the adapter passes the callback URL on unchanged.
    public let callback: CallbackAddress?
    /// The address of the project's action links, where these open the app itself.
    ///
    /// That is the "action URL" of the message templates, such as `https://project.firebaseapp.com/__/auth/action`, made a
    /// universal link of the app. Without it the pages of Firebase take confirmations, and the app polls.
    public let actionLinks: CallbackAddress?
    /// The tenant (Identity Platform) whose users the app signs in; `nil` for the users of the project itself.
    ///
    /// Tokens of another tenant are refused, and sessions of one tenant are never sent for another.
    public let tenant: String?
    /// The team's own server function that ends all sessions of its caller; `nil` where there is none, and no sign-out everywhere.
    ///
    /// Firebase itself lets administrators do that only. It is an HTTP function (`onRequest`; a callable one answers in a form of its
    /// own), called by `POST` with an empty JSON object, the user's ID token in `Authorization: Bearer …`, and the token of
    /// ``appCheck`` in `X-Firebase-AppCheck` where there is one. It must verify the ID token, end its user's sessions
    /// (`revokeRefreshTokens` of the Admin SDKs), and answer:
    ///
    /// | answer | meaning |
    /// | --- | --- |
    /// | 204, or 200 with `{"ended": true}` | every session of the user has ended |
    /// | 401, or Google's status `UNAUTHENTICATED` | the token is not accepted; the client calls again with a new one |
    /// | anything else | the sessions go on, and the sign-out fails |
    public let sessionEnding: String?
    /// What proves the app to Firebase before it sends an SMS to a number: called for every SMS.
    ///
    /// The number is masked where Firebase shows no more of it: at a sign-in with a second factor. Without this, nothing is sent by SMS
    /// but to an emulator: there are no codes by SMS, and a phone cannot be added as second factor.
    public var appProof: (@Sendable (_ phone: String) async throws(AuthError) -> AppProof)?
    /// The platform that the tokens of captchas are of (``ChallengeResponse/captcha(_:)``), where the project wants reCAPTCHA Enterprise.
    public var captchaClient: AppProof.Client = .apple
    /// A token of App Check for each request; `nil` where the project does not enforce App Check.
    public var appCheck: (@Sendable () async throws(AuthError) -> Secret)?
    /// Whether the project has passkeys; without this the adapter offers none.
    ///
    /// Google has them as a preview: its public description of the service does not list the calls (`accounts/passkeySignIn:start` and
    /// its like), and no released SDK makes them. A project that has not got them refuses them as `notEnabled`.
    public var hasPasskeys = false
    /// The name that authenticator apps show beside an account; the project's id unless set.
    public var appName: String?
    /// The language of messages, as a BCP 47 tag.
    public var locale: String?
    /// The shortest interval between two messages to one address; Firebase itself names none.
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of a code by SMS: Firebase documents none, ten minutes are reported of it.
    public var smsProofLife: Duration = .seconds(600)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - apiKey: The project's web API key.
    ///   - callback: Where the app takes links back: `https://app.example.com/callback`, whose domain the project authorises, so that
    ///     pages lead there; or an address of the app's own scheme, to which none do.
    ///   - actionLinks: Where action links open the app itself.
    ///   - tenant: The tenant whose users the app signs in.
    ///   - sessionEnding: The address of the team's own function that ends all sessions of its caller.
    ///   - url: The address of an emulator, such as `http://127.0.0.1:9099`.
    /// - Throws: `invalidConfiguration` with what is wrong.
    public init(
        apiKey: String, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, sessionEnding: String? = nil,
        url: String? = nil
    ) throws(AuthError) {
        try Self.check(apiKey)
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

    /// The addresses that links come back to: the callback addresses of the app's client.
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
