@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
package import LockstepWire

/// Supabase Auth (GoTrue), self-hosted or hosted.
///
/// Link flows use PKCE, so that an intercepted link is useless to an attacker. What the adapter can do follows from its
/// configuration: links need a callback address, account deletion needs the team's own server function.
public struct GoTrueAdapter: AuthAdapter {
    let api: GoTrueAPI

    /// An adapter for a project, with its dependencies.
    public init(
        _ configuration: GoTrueConfiguration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) {
        api = GoTrueAPI(configuration: configuration, transport: transport, clock: clock, randomness: randomness)
    }

    /// An adapter for a project.
    ///
    /// - Throws: `invalidConfiguration`; see ``GoTrueConfiguration/init(url:key:callback:accountDeletion:)``.
    public init(
        url: String, key: String?, callback: String? = nil, accountDeletion: String? = nil, transport: some HTTPTransport
    ) throws(AuthError) {
        let configuration = try GoTrueConfiguration(url: url, key: key, callback: callback, accountDeletion: accountDeletion)
        self.init(configuration, transport: transport)
    }

    /// `gotrue`.
    public var name: String { Self.name }
    static let name = "gotrue"

    /// The address of the API.
    public var backend: String { api.configuration.url }

    private var takesLinks: Bool { api.configuration.callback != nil }

    /// Password, guest, ID token, codes by SMS, passkeys, tickets; codes by e-mail where mails show them; links and OAuth where there is a
    /// callback address.
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

    /// Codes, links where there is a callback address, new passwords after a reset, second factors, passkeys.
    public var verification: [any VerificationStrategy] {
        var strategies: [any VerificationStrategy] = [CodeVerification(api: api)]
        if takesLinks { strategies.append(LinkVerification(api: api)) }
        return strategies + [NewPassword(api: api), SecondFactor(api: api), PasskeyVerification(api: api)]
    }

    /// Single-use refresh tokens.
    public var sessions: any SessionAuthority { GoTrueSessions(api: api) }
    /// Links that come back to the callback address.
    public var callbacks: any CallbackReading {
        GoTrueCallbacks(
            addresses: [api.configuration.callback].compactMap(\.self), linksComeWithCodes: api.configuration.linksComeWithCodes)
    }
    /// Invitations, and links of mails whose request ended before its answer came.
    public var unrequestedLinks: (any UnrequestedLinks)? { takesLinks ? OpenedLinks(api: api) : nil }
    /// All.
    public var signOutScopes: Set<SignOutScope> { [.local, .others, .everywhere] }
    /// By link or code, then a new password.
    public var passwordReset: (any PasswordReset)? { PasswordResetRequest(api: api) }
    /// Name and photo in the user's metadata.
    public var profile: (any ProfileUpdate)? { OwnProfileUpdate(api: api) }
    /// By the session; by the current password or a code where the project asks for it.
    public var passwordChange: (any PasswordChange)? { OwnPasswordChange(api: api) }
    /// With the proof of both addresses, unless the project is content with the new one.
    public var emailChange: (any EmailChange)? { OwnEmailChange(api: api) }
    /// Identities, where the project allows manual linking.
    public var linking: (any IdentityLinking)? { OwnIdentities(api: api) }
    /// Authenticator apps, phones and passkeys.
    public var secondFactors: (any SecondFactors)? { OwnSecondFactors(api: api) }
    /// The server's list of them.
    public var passkeys: (any PasskeyManagement)? { OwnPasskeys(api: api) }
    /// Whichever the project has: hCaptcha or Turnstile.
    public var acceptsCaptcha: Bool { true }
    /// After the session, where the project signs in before the proof (`MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`).
    public var addressProof: (any AddressProof)? { DueAddressProof(api: api) }
    /// By signing in again.
    public var reauthentication: (any Reauthentication)? {
        RenewedSignIn(takesLinks: takesLinks, takesCodes: api.configuration.takesMailedCodes)
    }
    /// By the team's own server function, where it is given one.
    public var accountDeletion: (any AccountDeletion)? {
        api.configuration.accountDeletion.map { OwnAccountDeletion(api: api, url: $0) }
    }
    /// Blocking work runs on the transport's own thread.
    public var executor: (any TaskExecutor)? { api.wire.executor }
}

extension GoTrueAdapter {
    /// Sends your own request to the API, for features of GoTrue that have no portable name.
    ///
    ///     let session = try await auth.session()
    ///     let passkeys = try await adapter.request(.get, "/passkeys", as: session)
    ///
    /// Sends the project's key, and the session's access token where a session is given. The client does not see changes to a
    /// session in the answer, such as new tokens: use its own calls for those.
    ///
    /// - Parameters:
    ///   - path: The path after the address of the API, beginning with a slash.
    ///   - session: The session to authorize the call with; get a valid one from the client.
    /// - Returns: the answer as it came; printing it shows no secrets.
    /// - Throws: an error of the adapter's table for every refusal, with the raw code in ``AuthError/provider``; `invalidInput`
    ///   for a path that leads elsewhere.
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

/// The address of a project's GoTrue, its key and its settings; validated at creation.
public struct GoTrueConfiguration: Sendable {
    /// The address of the API without a slash at the end, such as `https://ref.supabase.co/auth/v1`.
    public let url: String
    /// The app's public key; `nil` where no gateway stands in front of the server.
    public let key: String?
    /// Where links come back to the app.
    ///
    /// Without one, links are neither asked for nor taken.
    public let callback: CallbackAddress?
    /// The team's own server function that deletes its caller's account; see ``OwnAccountDeletion`` for its required answers.
    public let accountDeletion: String?
    /// Whether the project's mails show the code as well as the link (`{{ .Token }}` in the templates).
    ///
    /// `false` for a hosted project with its first templates: then no field for a code is offered that the mails do not hold, and
    /// signing in by a code by e-mail is none of the capabilities. Without a ``callback`` codes are all that can be taken.
    public var mailsShowCodes = true
    /// The project's shortest interval between two messages to one address (`SMTP_MAX_FREQUENCY`, by default 60 s).
    public var resendInterval: Duration = .seconds(60)
    /// The lifetime of the project's codes and links by e-mail (`MAILER_OTP_EXP`; hosted projects: an hour).
    public var emailProofLife: Duration = .seconds(3600)
    /// The lifetime of the project's codes by SMS (`SMS_OTP_EXP`, by default 60 s).
    public var smsProofLife: Duration = .seconds(60)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// Whether a code from a mail is taken.
    var takesMailedCodes: Bool { mailsShowCodes || callback == nil }

    /// Whether a mail with a link shows a code as well.
    var linksComeWithCodes: Bool { mailsShowCodes && callback != nil }

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - url: The address of the API. For a hosted project the bare `https://ref.supabase.co` works too.
    ///   - key: The anonymous or publishable key; `nil` for a server without a gateway.
    ///   - callback: The address at which the app takes links back; it must be in the project's list of redirect URLs.
    ///   - accountDeletion: The address of the team's own function for deleting accounts.
    /// - Throws: `invalidConfiguration` with the reason: a malformed address, plain http to another machine, an empty key,
    ///   a key that must never be in an app.
    public init(
        url: String, key: String?, callback: String? = nil, accountDeletion: String? = nil
    ) throws(AuthError) {
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
    /// Checks the address of an API. Hosted projects serve GoTrue under one path only.
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
