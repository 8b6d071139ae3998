@_exported public import Lockstep
@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
internal import LockstepWire

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
        url: String, key: Secret?, callback: String? = nil, accountDeletion: String? = nil, transport: some HTTPTransport
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
    public var callbacks: any CallbackReading { GoTrueCallbacks(addresses: [api.configuration.callback].compactMap(\.self)) }
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
    public var takesCaptcha: Bool { true }
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
        let segments = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
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
