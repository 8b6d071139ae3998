/// An implementation of the client's calls for one provider.
///
/// Authors of adapters implement this protocol.
///
/// An adapter lists its sign-in strategies and provides features. The capabilities of an adapter follow from its
/// strategies and features. The client rejects every call that the adapter does not support, before it sends a request.
public protocol AuthAdapter: Sendable {
    /// The provider's short name in lower case.
    ///
    /// The name is part of the keys in a session store, so it must never change.
    var name: String { get }
    /// The URL of the backend.
    ///
    /// The client never sends a session of one backend to another.
    var backend: String { get }

    /// The ways to sign in.
    @SignInStrategies var signIn: SignInStrategies { get }
    /// The strategies that handle the user's responses in a flow.
    var verification: [any VerificationStrategy] { get }
    /// The part that refreshes, reloads and revokes sessions.
    var sessions: any SessionAuthority { get }
    /// The part that reads the URLs that open the app.
    var callbacks: any CallbackReading { get }
    /// The part that opens links which this device did not request, such as invitations; `nil` if the backend sends none.
    var unrequestedLinks: (any UnrequestedLinks)? { get }

    /// The scopes of a sign-out that the backend supports.
    var signOutScopes: Set<SignOutScope> { get }
    /// The feature that replaces a forgotten password; `nil` if the backend does not have it.
    var passwordReset: (any PasswordReset)? { get }
    /// The feature that changes the name and the photo; `nil` if the backend does not have it.
    var profile: (any ProfileUpdate)? { get }
    /// The feature that changes the password; `nil` if the backend does not have it.
    var passwordChange: (any PasswordChange)? { get }
    /// The feature that changes the email address; `nil` if the backend does not have it.
    var emailChange: (any EmailChange)? { get }
    /// The feature that adds and removes identities; `nil` if the backend does not have it.
    var linking: (any IdentityLinking)? { get }
    /// The feature that adds and removes second factors; `nil` if the backend does not have it.
    var secondFactors: (any SecondFactors)? { get }
    /// The feature that lists, removes and renames passkeys; `nil` if the backend does not have it.
    var passkeys: (any PasskeyManagement)? { get }
    /// The feature that lists organizations and sets the active one; `nil` if the backend does not have it.
    var organizations: (any OrganizationSwitching)? { get }
    /// The feature that uploads a photo; `nil` if the backend does not have it.
    var photoUpload: (any PhotoUpload)? { get }
    /// The feature that signs the user in again for a sensitive call; `nil` if the backend does not have it.
    var reauthentication: (any Reauthentication)? { get }
    /// The feature that deletes the account; `nil` if the backend does not have it.
    var accountDeletion: (any AccountDeletion)? { get }

    /// Whether the adapter supports captchas.
    ///
    /// If it is `true`, the adapter sends the token of ``FlowMemory/takeCaptcha()`` with the requests of a flow. If the
    /// backend rejects a request because it has no captcha, the adapter adds the remedy `captcha` to the error.
    var acceptsCaptcha: Bool { get }

    /// The part that verifies the email address of a user who already has a session.
    ///
    /// It is `nil` if the backend creates a session only after the verification.
    var addressVerification: (any AddressVerification)? { get }

    /// The executor on which a call with several requests runs fastest.
    ///
    /// It is usually the transport's own thread.
    var executor: (any TaskExecutor)? { get }
}

extension AuthAdapter {
    /// Default: not supported (`nil`).
    ///
    /// Only the flow that requested a link can open the link.
    public var unrequestedLinks: (any UnrequestedLinks)? { nil }
    /// Default: a sign-out can end only the current session.
    public var signOutScopes: Set<SignOutScope> { [.local] }
    /// Default: not supported (`nil`).
    public var passwordReset: (any PasswordReset)? { nil }
    /// Default: not supported (`nil`).
    public var profile: (any ProfileUpdate)? { nil }
    /// Default: not supported (`nil`).
    public var passwordChange: (any PasswordChange)? { nil }
    /// Default: not supported (`nil`).
    public var emailChange: (any EmailChange)? { nil }
    /// Default: not supported (`nil`).
    public var linking: (any IdentityLinking)? { nil }
    /// Default: not supported (`nil`).
    public var secondFactors: (any SecondFactors)? { nil }
    /// Default: not supported (`nil`).
    public var passkeys: (any PasskeyManagement)? { nil }
    /// Default: not supported (`nil`).
    public var organizations: (any OrganizationSwitching)? { nil }
    /// Default: not supported (`nil`).
    public var photoUpload: (any PhotoUpload)? { nil }
    /// Default: not supported (`nil`).
    public var reauthentication: (any Reauthentication)? { nil }
    /// Default: not supported (`nil`).
    public var accountDeletion: (any AccountDeletion)? { nil }
    /// Default: not supported (`false`).
    public var acceptsCaptcha: Bool { false }
    /// Default: `nil`.
    ///
    /// The backend creates a session only after the verification.
    public var addressVerification: (any AddressVerification)? { nil }
    /// Default: `nil`.
    ///
    /// Calls run on the caller's executor.
    public var executor: (any TaskExecutor)? { nil }
}

extension AuthAdapter {
    /// The capabilities of the adapter in its current configuration.
    ///
    /// The capabilities follow from the adapter's strategies and features.
    public var capabilities: Set<Capability> {
        var found = Set(signIn.capabilities).union(verification.map(\.capability))
        if passwordReset != nil { found.insert(.passwordReset) }
        if let profile {
            found.insert(.displayName)
            if profile.acceptsPhoto { found.insert(.photo) }
            if profile.acceptsMetadata { found.insert(.userMetadata) }
        }
        if passwordChange != nil { found.insert(.passwordChange) }
        if emailChange != nil { found.insert(.emailChange) }
        if linking != nil { found.insert(.linking) }
        if let secondFactors {
            found.insert(.factorEnrolment)
            if secondFactors.makesBackupCodes { found.insert(.backupCodeRenewal) }
        }
        if let passkeys {
            found.insert(.passkeyManagement)
            if passkeys.acceptsNames { found.insert(.passkeyRenaming) }
        }
        if organizations != nil { found.insert(.organizations) }
        if acceptsCaptcha { found.insert(.captcha) }
        if photoUpload != nil { found.insert(.photoUpload) }
        if reauthentication != nil { found.insert(.reauthentication) }
        if accountDeletion != nil { found.insert(.accountDeletion) }
        if signOutScopes.contains(.others) { found.insert(.signOutOthers) }
        if signOutScopes.contains(.everywhere) { found.insert(.signOutEverywhere) }
        return found
    }
}

/// The part of an adapter that verifies the email address of a user who already has a session.
///
/// Some backends sign the user in immediately and request the verification afterwards.
public protocol AddressVerification: Sendable {
    /// Returns a challenge for such a user if no flow is in progress.
    ///
    /// For example, the stored flow has expired, or an earlier version of the app stored no flow.
    ///
    /// This method sends no request. It stores in `flow` the values that later responses and messages need. The session
    /// of `flow` is the user's session. The verification strategies read the session there, also in
    /// ``VerificationStrategy/prepare(_:)``.
    ///
    /// - Parameters:
    ///   - session: The user's session.
    ///   - flow: The memory of the new flow.
    /// - Returns: The challenge.
    func challenge(for session: Session, in flow: FlowMemory) -> Challenge
}

/// The part of an adapter that refreshes, reloads and revokes sessions.
public protocol SessionAuthority: Sendable {
    /// Refreshes a session.
    ///
    /// For each session, the client calls this method from one task at a time. The client passes the session that it
    /// has just read from the store.
    ///
    /// - Parameter session: The session to refresh.
    /// - Returns: The session with a new access token.
    /// - Throws: The client ends the session only after an error with one of these codes, which the backend must have
    ///   reported explicitly: `sessionRevoked`, `refreshTokenReused`, `refreshTokenUnknown`, `userDeleted`,
    ///   `userDisabled`, `credentialChanged`, `sessionExpired`. After any other error the session stays. If the backend
    ///   rejects only the credential of the request, and can be asked about the session, ask it first, once
    ///   (``ProviderBehavior/refusedCredential``).
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// Reloads the user from the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The session with the current user, and with a new access token if the claims of the old one are
    ///   outdated.
    /// - Throws: `accessTokenRefused` if the backend rejects the access token. In that case the client refreshes the
    ///   token and calls this method again, as it does for every call on behalf of a user.
    func reload(_ session: Session) async throws(AuthError) -> Session

    /// Ends sessions on the backend, if the backend supports it.
    ///
    /// If the session has already ended, the call succeeds. The client may also pass a session that it has replaced.
    ///
    /// - Parameters:
    ///   - session: The session that authorizes the call.
    ///   - scope: The scope: this session, all others, or all.
    /// - Throws: `accessTokenRefused` if the backend requires a valid access token and the session's token has expired.
    ///   In that case the client gets a new access token with ``refresh(_:)`` and calls this method again.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError)
}

/// The sessions that a sign-out ends.
public enum SignOutScope: String, Sendable, Hashable, CaseIterable {
    /// The current session.
    case local
    /// All other sessions of this user.
    case others
    /// All sessions of this user.
    case everywhere
}
