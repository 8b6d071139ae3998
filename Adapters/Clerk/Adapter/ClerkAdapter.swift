@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

/// Clerk, by its front-end API for native apps.
///
/// Clerk keeps the state of a sign-in: a sign-up or sign-in is an attempt with a status, and this device holds the token of
/// its client. The access token lives for a minute and is made from that token.
public struct ClerkAdapter: AuthAdapter {
    let api: ClerkAPI

    /// An adapter for an instance, with its dependencies.
    public init(
        _ configuration: ClerkConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = ClerkAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// An adapter for an instance.
    ///
    /// - Throws: `invalidConfiguration`; see ``ClerkConfiguration/init(publishableKey:url:callback:confirmsByLink:)``.
    public init(
        publishableKey: String, url: String? = nil, callback: String? = nil, confirmsByLink: Bool = false,
        transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try ClerkConfiguration(
            publishableKey: publishableKey, url: url, callback: callback, confirmsByLink: confirmsByLink)
        self.init(configuration, transport: transport)
    }

    /// The name `clerk`.
    public var name: String { Self.name }
    static let name = "clerk"

    /// The address of the front-end API.
    public var backend: String { api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// Password, codes by e-mail and SMS, ID token, ticket, passkey; links and OAuth where there is a callback address; no guests.
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

    /// Codes, new passwords, missing fields, second factors, passkeys; links where there is a callback address.
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

    /// Access tokens that live a minute, made from the client's token.
    public var sessions: any SessionAuthority { ClerkSessions(api: api) }
    /// Links that come back to the callback address.
    public var callbacks: any CallbackReading { ClerkCallbacks(addresses: [api.configuration.callback].compactMap(\.self)) }
    /// Invitations, tickets in links, and links of mails whose request ended before its answer came.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// All.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// By code, then a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// First and last name.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// With the current one.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With a code to the new address, where the instance proves addresses by codes.
    public var emailChange: (any EmailChange)? { api.configuration.confirmsByLink ? nil : OwnEmailChange(api: api) }
    /// External accounts.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// An authenticator app, and phones.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// Those of the user object.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// Memberships, and the session's active organization, where the instance has organizations.
    public var organizations: (any OrganizationSwitching)? { OwnOrganizations(api: api) }
    /// A profile image, which Clerk serves.
    public var photoUpload: (any PhotoUpload)? { OwnPhoto(api: api) }
    /// That of a sign-up, by Turnstile.
    public var acceptsCaptcha: Bool { true }
    /// By the password, and by a code to the user's address.
    public var reauthentication: (any Reauthentication)? { RenewedSignIn() }
    /// Where the instance lets users delete themselves.
    public var accountDeletion: (any AccountDeletion)? { OwnAccountDeletion(api: api) }
    /// Blocking work runs on the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

/// The address of an instance's front-end API, its key and its settings; validated at creation.
public struct ClerkConfiguration: Sendable {
    /// The address of the front-end API without a slash at the end, such as `https://clerk.example.com`.
    public let url: String
    /// Where links come back to the app; without one, links are neither asked for nor taken.
    public let callback: CallbackAddress?
    /// Whether a link proves the address of a sign-up, as the instance's settings may say (“Email verification link”), and not a
    /// code; it needs ``callback``.
    public let confirmsByLink: Bool
    /// Clerk's interval between two codes to one address (30 s; reference: FAPI 429 `verification_code_too_many_requests`).
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of codes and links where an answer names none (10 minutes).
    public var proofLife: Duration = .seconds(600)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - publishableKey: `pk_test_…` or `pk_live_…`; it contains the address of the API.
    ///   - url: The address of the API where it is another one than the key says: the team's own proxy, or a local server.
    ///   - callback: The address at which the app takes links back.
    ///   - confirmsByLink: Whether the instance proves addresses at sign-up by link and not by code.
    /// - Throws: `invalidConfiguration` with what is wrong: a malformed key, a secret key, plain http to another machine.
    public init(
        publishableKey: String, url: String? = nil, callback: String? = nil, confirmsByLink: Bool = false
    ) throws(AuthError) {
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
