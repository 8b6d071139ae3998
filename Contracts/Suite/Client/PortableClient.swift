public import Lockstep
@_exported public import LockstepPrimitives

/// The client calls that contracts use.
///
/// `AuthClient` conforms to this protocol. Faulty clients also conform to this protocol. Tests use faulty clients to show that a
/// check finds a fault.
public protocol PortableClient: Sendable {
    /// The capabilities of the client's adapter.
    var capabilities: Set<Capability> { get }
    /// The current authentication state.
    var state: AuthState { get }
    /// The current authentication state, and then every change.
    var states: AsyncStream<AuthState> { get }
    /// Whether the next launch of the app will find the session.
    var persistence: Persistence { get }
    /// The step that the user has to complete; `nil` if no flow is active.
    var pending: SignInStep? { get }

    /// Reads the stored session.
    ///
    /// - Returns: The authentication state.
    @discardableResult
    func restore() async -> AuthState
    /// Creates an account.
    ///
    /// - Parameters:
    ///   - credential: The credential of the new user.
    ///   - displayName: The display name; `nil` for none.
    ///   - metadata: The metadata that the user can change.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func signUp<C: Credential>(
        with credential: C, displayName: String?, metadata: JSONObject
    ) async throws(AuthError) -> SignInStep
    /// Signs a user in.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep
    /// Continues a flow with the user's response to a challenge.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - response: The response.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep
    /// Sends the message of a flow again.
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The challenge.
    /// - Throws: The error that the client throws.
    func resend(_ flow: Flow) async throws(AuthError) -> Challenge
    /// Cancels a flow.
    ///
    /// - Parameter flow: The flow.
    /// - Throws: The error that the client throws.
    func cancel(_ flow: Flow) async throws(AuthError)
    /// Handles a URL that opened the app.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The next step, an error, or `notOurs` if the URL is not for this client.
    func handle(_ url: String) async -> CallbackOutcome
    /// Begins to replace a forgotten password.
    ///
    /// - Parameter email: The email address of the account.
    /// - Returns: The next step.
    /// - Throws: The error that the client throws.
    func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep
    /// Returns an access token that is valid now.
    ///
    /// - Returns: The token.
    /// - Throws: The error that the client throws.
    func accessToken() async throws(AuthError) -> Secret
    /// Returns the session if it satisfies a requirement.
    ///
    /// - Parameter requirement: The requirement.
    /// - Returns: The session.
    /// - Throws: The error that the client throws.
    func session(requiring requirement: SessionRequirement) async throws(AuthError) -> Session
    /// Sends a request of the app with the access token of the user.
    ///
    /// - Parameters:
    ///   - request: The request of the app.
    ///   - send: Sends a request.
    /// - Returns: The response.
    /// - Throws: The error of the client, or the error that `send` throws.
    func authorized(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>
    ) async throws -> AppResponse<[UInt8]>
    /// Reloads the user from the backend.
    ///
    /// - Returns: The user.
    /// - Throws: The error that the client throws.
    func refreshUser() async throws(AuthError) -> User
    /// Waits until all work in the background has ended.
    func settle() async
    /// Signs the user out.
    ///
    /// - Parameters:
    ///   - scope: The sessions that end.
    ///   - discardingAnonymousUser: Whether to sign out even an anonymous user, whose account is then lost.
    /// - Throws: The error that the client throws.
    func signOut(_ scope: SignOutScope, discardingAnonymousUser: Bool) async throws(AuthError)

    /// Changes the display name or the photo.
    ///
    /// - Parameters:
    ///   - displayName: The display name; `nil` to keep it.
    ///   - photoURL: The URL of the photo; `nil` to keep it.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User
    /// Changes members of the metadata that users can edit themselves.
    ///
    /// - Parameter metadata: The members to set.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    func update(metadata: JSONObject) async throws(AuthError) -> User
    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password; `nil` if the backend does not need it.
    /// - Throws: The error that the client throws.
    func changePassword(to new: Secret, current: Secret?) async throws(AuthError)
    /// Begins a password change, which may require a code.
    ///
    /// - Parameter new: The new password.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep
    /// Begins to change the email address.
    ///
    /// - Parameter email: The new email address.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func changeEmail(to email: String) async throws(AuthError) -> SignInStep
    /// Adds a credential to the user.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep
    /// The sign-in methods that the user can add.
    var waysToLink: [Capability] { get }
    /// The methods that the user can use to sign in again.
    var waysToReauthenticate: [Capability] { get }
    /// The kinds of second factors that users can add.
    var factorKinds: Set<FactorChoice.Kind> { get }
    /// Removes a way to sign in.
    ///
    /// - Parameter identity: The way to sign in.
    /// - Throws: The error that the client throws.
    func unlink(_ identity: Identity) async throws(AuthError)
    /// Returns the second factors of the user.
    ///
    /// - Returns: The second factors.
    /// - Throws: The error that the client throws.
    func factors() async throws(AuthError) -> [FactorChoice]
    /// Removes a second factor.
    ///
    /// - Parameter factor: The second factor.
    /// - Throws: The error that the client throws.
    func removeFactor(_ factor: FactorChoice) async throws(AuthError)
    /// Begins to add a second factor.
    ///
    /// - Parameter factor: The kind of the second factor.
    /// - Returns: The values that the user needs to complete the enrollment.
    /// - Throws: The error that the client throws.
    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment
    /// Creates new backup codes, which replace the old codes.
    ///
    /// - Returns: The codes.
    /// - Throws: The error that the client throws.
    func renewBackupCodes() async throws(AuthError) -> [Secret]
    /// Returns the passkeys of the user.
    ///
    /// - Returns: The passkeys.
    /// - Throws: The error that the client throws.
    func passkeys() async throws(AuthError) -> [Passkey]
    /// Renames a passkey.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name.
    /// - Throws: The error that the client throws.
    func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError)
    /// Removes a passkey.
    ///
    /// - Parameter passkey: The passkey.
    /// - Throws: The error that the client throws.
    func removePasskey(_ passkey: Passkey) async throws(AuthError)
    /// Returns the organizations of the user.
    ///
    /// - Returns: The organizations.
    /// - Throws: The error that the client throws.
    func organizations() async throws(AuthError) -> [Organization]
    /// Sets the active organization of the session.
    ///
    /// - Parameter organization: The organization; `nil` for none.
    /// - Throws: The error that the client throws.
    func activate(_ organization: Organization?) async throws(AuthError)
    /// Uploads a photo of the user, or removes the current photo.
    ///
    /// - Parameter photo: The photo; `nil` to remove the current photo.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    func setPhoto(_ photo: Photo?) async throws(AuthError) -> User
    /// Lets the same user sign in again.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - retry: The call to retry after the sign-in; `nil` for none.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall?) async throws(AuthError) -> SignInStep
    /// Deletes the account of the user.
    ///
    /// - Throws: The error that the client throws.
    func deleteAccount() async throws(AuthError)
}

extension PortableClient {
    /// Creates an account without metadata.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - displayName: The display name.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func signUp<C: Credential>(with credential: C, displayName: String?) async throws(AuthError) -> SignInStep {
        try await signUp(with: credential, displayName: displayName, metadata: [:])
    }

    /// Creates an account without a name.
    ///
    /// - Parameter credential: The credential of the new user.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func signUp<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await signUp(with: credential, displayName: nil)
    }

    /// Returns the session, without further requirements.
    ///
    /// - Returns: The session.
    /// - Throws: The error that the client throws.
    public func session() async throws(AuthError) -> Session { try await session(requiring: .any) }

    /// Signs the user out on this device.
    ///
    /// - Parameter discardingAnonymousUser: Whether to sign out even an anonymous user, whose account is then lost.
    /// - Throws: The error that the client throws.
    public func signOut(discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await signOut(.local, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Lets the same user sign in again, without a call to retry.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func reauthenticate<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await reauthenticate(with: credential, thenRetry: nil)
    }
}

extension AuthClient: PortableClient {
    /// Changes the display name or the photo.
    ///
    /// - Parameters:
    ///   - displayName: The display name; `nil` to keep it.
    ///   - photoURL: The URL of the photo; `nil` to keep it.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    public func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User {
        try await account.update(displayName: displayName, photoURL: photoURL)
    }

    /// Changes members of the metadata that users can edit themselves.
    ///
    /// - Parameter metadata: The members to set.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    public func update(metadata: JSONObject) async throws(AuthError) -> User { try await account.update(metadata: metadata) }

    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password; `nil` if the backend does not need it.
    /// - Throws: The error that the client throws.
    public func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        try await account.changePassword(to: new, current: current)
    }

    /// Begins a password change, which may require a code.
    ///
    /// - Parameter new: The new password.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        try await account.beginPasswordChange(to: new)
    }

    /// Begins to change the email address.
    ///
    /// - Parameter email: The new email address.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep { try await account.changeEmail(to: email) }

    /// Adds a credential to the user.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep { try await account.link(credential) }

    /// The sign-in methods that the user can add.
    public var waysToLink: [Capability] { account.waysToLink }

    /// The methods that the user can use to sign in again.
    public var waysToReauthenticate: [Capability] { account.waysToReauthenticate }

    /// The kinds of second factors that users can add.
    public var factorKinds: Set<FactorChoice.Kind> { account.factors.kinds }

    /// Removes a way to sign in.
    ///
    /// - Parameter identity: The way to sign in.
    /// - Throws: The error that the client throws.
    public func unlink(_ identity: Identity) async throws(AuthError) { try await account.unlink(identity) }

    /// Returns the second factors of the user.
    ///
    /// - Returns: The second factors.
    /// - Throws: The error that the client throws.
    public func factors() async throws(AuthError) -> [FactorChoice] { try await account.factors.all() }

    /// Removes a second factor.
    ///
    /// - Parameter factor: The second factor.
    /// - Throws: The error that the client throws.
    public func removeFactor(_ factor: FactorChoice) async throws(AuthError) { try await account.factors.remove(factor) }

    /// Begins to add a second factor.
    ///
    /// - Parameter factor: The kind of the second factor.
    /// - Returns: The values that the user needs to complete the enrollment.
    /// - Throws: The error that the client throws.
    public func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        try await account.factors.add(factor)
    }

    /// Creates new backup codes, which replace the old codes.
    ///
    /// - Returns: The codes.
    /// - Throws: The error that the client throws.
    public func renewBackupCodes() async throws(AuthError) -> [Secret] { try await account.factors.renewBackupCodes() }

    /// Returns the passkeys of the user.
    ///
    /// - Returns: The passkeys.
    /// - Throws: The error that the client throws.
    public func passkeys() async throws(AuthError) -> [Passkey] { try await account.passkeys.all() }

    /// Renames a passkey.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name.
    /// - Throws: The error that the client throws.
    public func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        try await account.passkeys.rename(passkey, to: name)
    }

    /// Removes a passkey.
    ///
    /// - Parameter passkey: The passkey.
    /// - Throws: The error that the client throws.
    public func removePasskey(_ passkey: Passkey) async throws(AuthError) { try await account.passkeys.remove(passkey) }

    /// Returns the organizations of the user.
    ///
    /// - Returns: The organizations.
    /// - Throws: The error that the client throws.
    public func organizations() async throws(AuthError) -> [Organization] { try await account.organizations.all() }

    /// Sets the active organization of the session.
    ///
    /// - Parameter organization: The organization; `nil` for none.
    /// - Throws: The error that the client throws.
    public func activate(_ organization: Organization?) async throws(AuthError) {
        try await account.organizations.activate(organization)
    }

    /// Uploads a photo of the user, or removes the current photo.
    ///
    /// - Parameter photo: The photo; `nil` to remove the current photo.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    public func setPhoto(_ photo: Photo?) async throws(AuthError) -> User { try await account.setPhoto(photo) }

    /// Lets the same user sign in again.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - retry: The call to retry after the sign-in; `nil` for none.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func reauthenticate<C: Credential>(
        with credential: C, thenRetry retry: SensitiveCall?
    ) async throws(AuthError) -> SignInStep {
        try await account.reauthenticate(with: credential, thenRetry: retry)
    }

    /// Deletes the account of the user.
    ///
    /// - Throws: The error that the client throws.
    public func deleteAccount() async throws(AuthError) { try await account.delete() }
}
