/// One provider behind the portable client.
///
/// Authors of adapters implement this protocol.
///
/// An adapter lists its sign-in strategies and provides features. Its capabilities follow from these. The client rejects
/// everything else before it sends a request.
public protocol AuthAdapter: Sendable {
    /// The provider's short name in lower case.
    ///
    /// It is part of the store's keys, so it must never change.
    var name: String { get }
    /// The URL of the backend.
    ///
    /// A session of one backend is never sent to another.
    var backend: String { get }

    /// The ways to sign in.
    @SignInStrategies var signIn: SignInStrategies { get }
    /// The strategies that continue a flow.
    var verification: [any VerificationStrategy] { get }
    /// Refreshes, reloads and revokes sessions.
    var sessions: any SessionAuthority { get }
    /// Reads the URLs that open the app.
    var callbacks: any CallbackReading { get }
    /// Opens links that this device did not request, such as invitations.
    var unrequestedLinks: (any UnrequestedLinks)? { get }

    /// The sessions that a sign-out can end at the backend.
    var signOutScopes: Set<SignOutScope> { get }
    /// Replaces a forgotten password.
    var passwordReset: (any PasswordReset)? { get }
    /// Changes the name and the photo.
    var profile: (any ProfileUpdate)? { get }
    /// Changes the password.
    var passwordChange: (any PasswordChange)? { get }
    /// Changes the email address.
    var emailChange: (any EmailChange)? { get }
    /// Adds and removes identities.
    var linking: (any IdentityLinking)? { get }
    /// Adds and removes second factors.
    var secondFactors: (any SecondFactors)? { get }
    /// Lists, removes and, on some backends, renames passkeys.
    var passkeys: (any PasskeyManagement)? { get }
    /// Lists the user's organizations, and sets the session's active one.
    var organizations: (any OrganizationSwitching)? { get }
    /// Uploads a photo.
    var photoUpload: (any PhotoUpload)? { get }
    /// Renews the sign-in.
    var reauthentication: (any Reauthentication)? { get }
    /// Deletes the account.
    var accountDeletion: (any AccountDeletion)? { get }

    /// Whether the adapter supports captchas.
    ///
    /// If it does, the requests of a flow send the token of ``FlowMemory/takeCaptcha()``. An error that a captcha would
    /// resolve has the remedy `captcha`.
    var acceptsCaptcha: Bool { get }

    /// The verification of the email address of a user who already has a session; `nil` if the verification comes first.
    var addressProof: (any AddressProof)? { get }

    /// The executor on which a call with several requests runs fastest: the transport's own thread.
    var executor: (any TaskExecutor)? { get }
}

extension AuthAdapter {
    /// Default: not supported (`nil`).
    ///
    /// Every link needs the flow that requested it.
    public var unrequestedLinks: (any UnrequestedLinks)? { nil }
    /// Default: only the current session.
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
    /// Default: `nil`, the verification comes before the session.
    public var addressProof: (any AddressProof)? { nil }
    /// Default: `nil`, calls run on the caller's executor.
    public var executor: (any TaskExecutor)? { nil }
}

extension AuthAdapter {
    /// The capabilities of the adapter with its configuration.
    ///
    /// They follow from its strategies and features.
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

/// The verification of the email address of a user who already has a session.
///
/// Some backends sign the user in immediately and request the verification afterwards.
public protocol AddressProof: Sendable {
    /// Returns the challenge for such a user if no flow is in progress: an earlier version stored none, or it has
    /// expired.
    ///
    /// It sends no request. It stores in `flow` what the responses and the next message need. The session of `flow` is
    /// the user's, and the verification strategies read it there, also in ``VerificationStrategy/prepare(_:)``.
    ///
    /// - Parameters:
    ///   - session: The user's session.
    ///   - flow: The memory of the new flow.
    /// - Returns: The challenge.
    func challenge(for session: Session, in flow: FlowMemory) -> Challenge
}

/// Refreshes, reloads and revokes sessions.
public protocol SessionAuthority: Sendable {
    /// Refreshes a session.
    ///
    /// The client calls it from one task at a time for a session, with the refresh token that the store had at that
    /// moment.
    ///
    /// - Parameter session: The session.
    /// - Returns: The session with a new access token.
    /// - Throws: An error ends the session only if the backend explicitly reports one of these: `sessionRevoked`,
    ///   `refreshTokenReused`, `refreshTokenUnknown`, `userDeleted`, `userDisabled`, `credentialChanged`,
    ///   `sessionExpired`. With any other error the session stays.
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// Reloads the user from the backend.
    ///
    /// - Parameter session: The session.
    /// - Returns: The session with the current user, and with a new access token if the claims of the old one are
    ///   outdated.
    /// - Throws: `accessTokenRefused` if the backend rejects the token, as in every call for a user. Then the client
    ///   refreshes it and calls once more.
    func reload(_ session: Session) async throws(AuthError) -> Session

    /// Ends sessions at the backend as far as the backend supports it.
    ///
    /// A session that has already ended is a success.
    ///
    /// The session may be one that no client uses anymore.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - scope: The sessions to end.
    /// - Throws: `accessTokenRefused` if the backend requires a valid access token and this one has expired. Then the
    ///   client gets a new one with ``refresh(_:)`` and calls once more.
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
