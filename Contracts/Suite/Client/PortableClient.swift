public import Lockstep
@_exported public import LockstepPrimitives

/// The client as contracts use it: `AuthClient`, or a fake that breaks a contract.
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
    func signUp<C: Credential>(
        with credential: C, displayName: String?, metadata: JSONObject
    ) async throws(AuthError) -> SignInStep
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
    /// Sets a new password, with a code if the backend requires one.
    func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep
    /// Starts to change the address.
    func changeEmail(to email: String) async throws(AuthError) -> SignInStep
    /// Adds a credential to the user.
    func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep
    /// The sign-in methods that the user can add.
    var waysToLink: [Capability] { get }
    /// The methods with which the user can sign in again.
    var waysToReauthenticate: [Capability] { get }
    /// The kinds of second factors that users can add.
    var factorKinds: Set<FactorChoice.Kind> { get }
    /// Removes an identity.
    func unlink(_ identity: Identity) async throws(AuthError)
    /// Returns the second factors.
    func factors() async throws(AuthError) -> [FactorChoice]
    /// Removes a second factor.
    func removeFactor(_ factor: FactorChoice) async throws(AuthError)
    /// Starts to add a second factor.
    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment
    /// Creates new backup codes.
    func renewBackupCodes() async throws(AuthError) -> [Secret]
    /// Returns the passkeys.
    func passkeys() async throws(AuthError) -> [Passkey]
    /// Renames a passkey.
    func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError)
    /// Removes a passkey.
    func removePasskey(_ passkey: Passkey) async throws(AuthError)
    /// Returns the organizations of the user.
    func organizations() async throws(AuthError) -> [Organization]
    /// Sets the active organization of the session, or none.
    func activate(_ organization: Organization?) async throws(AuthError)
    /// Uploads a photo, or removes the current one.
    func setPhoto(_ photo: Photo?) async throws(AuthError) -> User
    /// Signs the same user in again.
    func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall?) async throws(AuthError) -> SignInStep
    /// Deletes the account.
    func deleteAccount() async throws(AuthError)
}

extension PortableClient {
    /// Creates an account without metadata.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - displayName: The display name.
    /// - Returns: The session, or the next step.
    /// - Throws: The error of the client.
    public func signUp<C: Credential>(with credential: C, displayName: String?) async throws(AuthError) -> SignInStep {
        try await signUp(with: credential, displayName: displayName, metadata: [:])
    }

    /// Creates an account without a name.
    public func signUp<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await signUp(with: credential, displayName: nil)
    }

    /// Returns the session, of any user.
    public func session() async throws(AuthError) -> Session { try await session(requiring: .any) }

    /// Signs out on this device.
    public func signOut(discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await signOut(.local, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Signs the same user in again, without another call.
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

    /// Sets a new password, with a code if the backend requires one.
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        try await account.beginPasswordChange(to: new)
    }

    /// Starts to change the address.
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep { try await account.changeEmail(to: email) }

    /// Adds a credential to the user.
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep { try await account.link(credential) }

    /// The sign-in methods that the user can add.
    public var waysToLink: [Capability] { account.waysToLink }

    /// The methods with which the user can sign in again.
    public var waysToReauthenticate: [Capability] { account.waysToReauthenticate }

    /// The kinds of second factors that users can add.
    public var factorKinds: Set<FactorChoice.Kind> { account.factors.kinds }

    /// Removes an identity.
    public func unlink(_ identity: Identity) async throws(AuthError) { try await account.unlink(identity) }

    /// Returns the second factors.
    public func factors() async throws(AuthError) -> [FactorChoice] { try await account.factors.all() }

    /// Removes a second factor.
    public func removeFactor(_ factor: FactorChoice) async throws(AuthError) { try await account.factors.remove(factor) }

    /// Starts to add a second factor.
    public func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await account.factors.add(factor)
    }

    /// Creates new backup codes.
    public func renewBackupCodes() async throws(AuthError) -> [Secret] { try await account.factors.renewBackupCodes() }

    /// Returns the passkeys.
    public func passkeys() async throws(AuthError) -> [Passkey] { try await account.passkeys.all() }

    /// Renames a passkey.
    public func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        try await account.passkeys.rename(passkey, to: name)
    }

    /// Removes a passkey.
    public func removePasskey(_ passkey: Passkey) async throws(AuthError) { try await account.passkeys.remove(passkey) }

    /// Returns the organizations of the user.
    public func organizations() async throws(AuthError) -> [Organization] { try await account.organizations.all() }

    /// Sets the active organization of the session, or none.
    public func activate(_ organization: Organization?) async throws(AuthError) {
        try await account.organizations.activate(organization)
    }

    /// Uploads a photo, or removes the current one.
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
