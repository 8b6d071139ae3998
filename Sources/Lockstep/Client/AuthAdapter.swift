/// One provider, as the portable client sees it: the protocol that an adapter author implements.
///
/// An adapter lists strategies and provides features; its capabilities follow from them. The client refuses everything else
/// before any request is sent.
public protocol AuthAdapter: Sendable {
    /// The provider's short name in lower case; part of the store's keys, so it must never change.
    var name: String { get }
    /// The address of the backend: sessions of one are never sent to another.
    var backend: String { get }

    /// The ways to sign in.
    @SignInStrategies var signIn: SignInStrategies { get }
    /// The strategies for continuing a flow.
    var verification: [any VerificationStrategy] { get }
    /// Refreshing, reloading and revoking sessions.
    var sessions: any SessionAuthority { get }
    /// Reading links.
    var callbacks: any CallbackReading { get }
    /// Opening links that this device did not ask for, such as invitations.
    var unrequestedLinks: (any UnrequestedLinks)? { get }

    /// Which sessions a sign-out can end at the backend.
    var signOutScopes: Set<SignOutScope> { get }
    /// Replacing a forgotten password.
    var passwordReset: (any PasswordReset)? { get }
    /// Changing name and photo.
    var profile: (any ProfileUpdate)? { get }
    /// Changing the password.
    var passwordChange: (any PasswordChange)? { get }
    /// Changing the address.
    var emailChange: (any EmailChange)? { get }
    /// Removing identities, and adding them.
    var linking: (any IdentityLinking)? { get }
    /// Adding and removing second factors.
    var secondFactors: (any SecondFactors)? { get }
    /// Listing, removing and, on some backends, renaming passkeys.
    var passkeys: (any PasskeyManagement)? { get }
    /// The user's organizations, and the session's active one.
    var organizations: (any OrganizationSwitching)? { get }
    /// Uploading a photo.
    var photoUpload: (any PhotoUpload)? { get }
    /// Renewing the sign-in.
    var reauthentication: (any Reauthentication)? { get }
    /// Deleting the account.
    var accountDeletion: (any AccountDeletion)? { get }

    /// Whether a captcha that the backend asks for can be given: the requests of a flow send ``FlowMemory/takeCaptcha()`` along, and
    /// a refusal that one would heal has the remedy `captcha`.
    var acceptsCaptcha: Bool { get }

    /// The proof of the address of a user who has a session before it; `nil` where the proof comes first.
    var addressProof: (any AddressProof)? { get }

    /// Where a call of several requests runs best; the transport's own thread.
    var executor: (any TaskExecutor)? { get }
}

extension AuthAdapter {
    /// None: every link needs the flow that asked for it.
    public var unrequestedLinks: (any UnrequestedLinks)? { nil }
    /// Only this one.
    public var signOutScopes: Set<SignOutScope> { [.local] }
    /// None.
    public var passwordReset: (any PasswordReset)? { nil }
    /// None.
    public var profile: (any ProfileUpdate)? { nil }
    /// None.
    public var passwordChange: (any PasswordChange)? { nil }
    /// None.
    public var emailChange: (any EmailChange)? { nil }
    /// None.
    public var linking: (any IdentityLinking)? { nil }
    /// None.
    public var secondFactors: (any SecondFactors)? { nil }
    /// None.
    public var passkeys: (any PasskeyManagement)? { nil }
    /// None.
    public var organizations: (any OrganizationSwitching)? { nil }
    /// None.
    public var photoUpload: (any PhotoUpload)? { nil }
    /// None.
    public var reauthentication: (any Reauthentication)? { nil }
    /// None.
    public var accountDeletion: (any AccountDeletion)? { nil }
    /// No.
    public var acceptsCaptcha: Bool { false }
    /// None: the proof comes before the session.
    public var addressProof: (any AddressProof)? { nil }
    /// Wherever the caller runs.
    public var executor: (any TaskExecutor)? { nil }
}

extension AuthAdapter {
    /// All capabilities of the adapter as it is configured, computed from its strategies and features.
    public var capabilities: Set<Capability> {
        var found = Set(signIn.capabilities).union(verification.map(\.capability))
        if passwordReset != nil { found.insert(.passwordReset) }
        if let profile {
            found.insert(.displayName)
            if profile.takesPhoto { found.insert(.photo) }
            if profile.takesMetadata { found.insert(.userMetadata) }
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

/// The proof of the address of a user who has a session already, as on a backend that signs in at once and asks for the proof
/// afterwards.
public protocol AddressProof: Sendable {
    /// What such a user is asked for where no flow is in progress: one of an earlier version has left none, or it has expired.
    ///
    /// No request is sent. What the answers and the next message need goes into `flow`, whose session is the user's: the verification
    /// strategies take it from there, ``VerificationStrategy/prepare(_:)`` too.
    func challenge(for session: Session, in flow: FlowMemory) -> Challenge
}

/// What an adapter does with a session that exists.
public protocol SessionAuthority: Sendable {
    /// Refreshes the session and returns it with a new access token.
    ///
    /// It is called by one task at a time for a session, with the refresh token that the store held at that moment.
    ///
    /// - Throws: only what the backend explicitly said may end a session: `sessionRevoked`, `refreshTokenReused`,
    ///   `refreshTokenUnknown`, `userDeleted`, `userDisabled`, `credentialChanged`, `sessionExpired`. Anything else keeps it.
    func refresh(_ session: Session) async throws(AuthError) -> Session

    /// Reloads the user from the backend and returns the session, with a new token where the old one's claims are outdated.
    ///
    /// - Throws: `accessTokenRefused` where the backend refuses the token, as in every call made for a user: the client refreshes
    ///   it and calls once more.
    func reload(_ session: Session) async throws(AuthError) -> Session

    /// Ends sessions at the backend, as far as it can do that; one that has ended already is ended.
    ///
    /// The session may be one that no client uses any more.
    ///
    /// - Throws: `accessTokenRefused` where the backend wants a valid access token and this one is not: the client gets a new one
    ///   by ``refresh(_:)`` and calls once more.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError)
}

/// Which sessions a sign-out ends.
public enum SignOutScope: String, Sendable, Hashable, CaseIterable {
    /// This one.
    case local
    /// All the others of this user.
    case others
    /// All of this user.
    case everywhere
}
