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
    /// - Throws: `invalidConfiguration`; see ``FirebaseConfiguration/init(apiKey:callback:actionLinks:tenant:sessionEnding:emulator:)``.
    public init(
        apiKey: Secret, callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, sessionEnding: String? = nil,
        emulator: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try FirebaseConfiguration(
            apiKey: apiKey, callback: callback, actionLinks: actionLinks, tenant: tenant, sessionEnding: sessionEnding,
            emulator: emulator)
        self.init(configuration, transport: transport)
    }

    /// `firebase`.
    public var name: String { Self.name }
    static let name = "firebase"

    /// The account service and the API key, which names the project; the tenant where there is one.
    public var backend: String {
        let project = api.configuration.identityToolkit + "#" + FlowMemory.digest(api.configuration.apiKey.reveal())
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
    public var takesCaptcha: Bool { true }
    /// Blocking work runs on the transport's own thread.
    public var executor: (any TaskExecutor)? { api.accounts.executor }
}
