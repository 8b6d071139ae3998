public import Lockstep
@_exported public import LockstepPrimitives

/// The client as contracts see it: `AuthClient`, or a fake that breaks a promise.
public protocol PortableClient: Sendable {
    /// The adapter's capabilities.
    var capabilities: Set<Capability> { get }
    /// The authentication state.
    var state: AuthState { get }
    /// The current state, then every change.
    var states: AsyncStream<AuthState> { get }
    /// Whether a relaunch finds what it knows.
    var persistence: Persistence { get }
    /// The step in progress.
    var pending: SignInStep? { get }

    /// Reads the store.
    @discardableResult
    func restore() async -> AuthState
    /// Makes an account.
    func signUp<C: Credential>(with credential: C, displayName: String?) async throws(AuthError) -> SignInStep
    /// Signs in.
    func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep
    /// Goes on with a flow.
    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep
    /// Sends the message of a flow again.
    func resend(_ flow: Flow) async throws(AuthError) -> Challenge
    /// Leaves a flow.
    func cancel(_ flow: Flow) async throws(AuthError)
    /// Takes a URL.
    func handle(_ url: String) async -> CallbackOutcome
    /// Begins to replace a forgotten password.
    func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep
    /// A token that is valid now.
    func accessToken() async throws(AuthError) -> Secret
    /// The session, for what needs one.
    func session(requiring requirement: SessionRequirement) async throws(AuthError) -> Session
    /// Sends a request of the app in the user's name.
    func authorized(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>
    ) async throws -> AppResponse<[UInt8]>
    /// Reloads the user from the backend and returns it.
    func refreshUser() async throws(AuthError) -> User
    /// Waits for the work behind the calls.
    func settle() async
    /// Signs out.
    func signOut(_ scope: SignOutScope, discardingAnonymousUser: Bool) async throws(AuthError)

    /// Changes name or photo.
    func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User
    /// Changes members of the user's own metadata.
    func update(metadata: JSONObject) async throws(AuthError) -> User
    /// Sets a new password.
    func changePassword(to new: Secret, current: Secret?) async throws(AuthError)
    /// Sets a new password, by a code where the backend wants one.
    func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep
    /// Begins to change the address.
    func changeEmail(to email: String) async throws(AuthError) -> SignInStep
    /// Adds a credential to the user.
    func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep
    /// The ways that can be added to the user.
    var waysToLink: [Capability] { get }
    /// The ways in which the user can sign in again.
    var waysToReauthenticate: [Capability] { get }
    /// The kinds of second factors that users can add.
    var factorKinds: Set<FactorChoice.Kind> { get }
    /// Removes an identity.
    func unlink(_ identity: Identity) async throws(AuthError)
    /// The second factors.
    func factors() async throws(AuthError) -> [FactorChoice]
    /// Removes a second factor.
    func removeFactor(_ factor: FactorChoice) async throws(AuthError)
    /// Begins to add a second factor.
    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment
    /// Makes new backup codes.
    func renewBackupCodes() async throws(AuthError) -> [Secret]
    /// The passkeys.
    func passkeys() async throws(AuthError) -> [Passkey]
    /// Gives a passkey another name.
    func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError)
    /// Removes a passkey.
    func removePasskey(_ passkey: Passkey) async throws(AuthError)
    /// The organizations of the user.
    func organizations() async throws(AuthError) -> [Organization]
    /// Makes an organization the active one of the session, or none.
    func activate(_ organization: Organization?) async throws(AuthError)
    /// Uploads a photo, or removes the one that is there.
    func setPhoto(_ photo: Photo?) async throws(AuthError) -> User
    /// Signs the same user in again.
    func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall?) async throws(AuthError) -> SignInStep
    /// Deletes the account.
    func deleteAccount() async throws(AuthError)
}

extension PortableClient {
    /// Makes an account without a name.
    public func signUp<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await signUp(with: credential, displayName: nil)
    }

    /// The session, of any user.
    public func session() async throws(AuthError) -> Session { try await session(requiring: .any) }

    /// Signs out on this device.
    public func signOut(discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await signOut(.local, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Signs the same user in again, and nothing else.
    public func reauthenticate<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await reauthenticate(with: credential, thenRetry: nil)
    }
}

extension AuthClient: PortableClient {
    /// Changes name or photo.
    public func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User {
        try await account.update(displayName: displayName, photoURL: photoURL)
    }

    /// Changes members of the user's own metadata.
    public func update(metadata: JSONObject) async throws(AuthError) -> User { try await account.update(metadata: metadata) }

    /// Sets a new password.
    public func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        try await account.changePassword(to: new, current: current)
    }

    /// Sets a new password, by a code where the backend wants one.
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        try await account.beginPasswordChange(to: new)
    }

    /// Begins to change the address.
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep { try await account.changeEmail(to: email) }

    /// Adds a credential to the user.
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep { try await account.link(credential) }

    /// The ways that can be added to the user.
    public var waysToLink: [Capability] { account.waysToLink }

    /// The ways in which the user can sign in again.
    public var waysToReauthenticate: [Capability] { account.waysToReauthenticate }

    /// The kinds of second factors that users can add.
    public var factorKinds: Set<FactorChoice.Kind> { account.factors.kinds }

    /// Removes an identity.
    public func unlink(_ identity: Identity) async throws(AuthError) { try await account.unlink(identity) }

    /// The second factors.
    public func factors() async throws(AuthError) -> [FactorChoice] { try await account.factors.all() }

    /// Removes a second factor.
    public func removeFactor(_ factor: FactorChoice) async throws(AuthError) { try await account.factors.remove(factor) }

    /// Begins to add a second factor.
    public func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await account.factors.add(factor)
    }

    /// Makes new backup codes.
    public func renewBackupCodes() async throws(AuthError) -> [Secret] { try await account.factors.renewBackupCodes() }

    /// The passkeys.
    public func passkeys() async throws(AuthError) -> [Passkey] { try await account.passkeys.all() }

    /// Gives a passkey another name.
    public func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        try await account.passkeys.rename(passkey, to: name)
    }

    /// Removes a passkey.
    public func removePasskey(_ passkey: Passkey) async throws(AuthError) { try await account.passkeys.remove(passkey) }

    /// The organizations of the user.
    public func organizations() async throws(AuthError) -> [Organization] { try await account.organizations.all() }

    /// Makes an organization the active one of the session, or none.
    public func activate(_ organization: Organization?) async throws(AuthError) {
        try await account.organizations.activate(organization)
    }

    /// Uploads a photo, or removes the one that is there.
    public func setPhoto(_ photo: Photo?) async throws(AuthError) -> User { try await account.setPhoto(photo) }

    /// Signs the same user in again.
    public func reauthenticate<C: Credential>(
        with credential: C, thenRetry retry: SensitiveCall?
    ) async throws(AuthError) -> SignInStep {
        try await account.reauthenticate(with: credential, thenRetry: retry)
    }

    /// Deletes the account.
    public func deleteAccount() async throws(AuthError) { try await account.delete() }
}
