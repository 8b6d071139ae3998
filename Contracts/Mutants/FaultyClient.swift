internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

/// A client that forwards each call to another client, except the replaced calls.
struct FaultyClient: PortableClient {
    typealias Client = any PortableClient
    typealias Sending = @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>

    /// The client that receives the calls.
    var base: Client

    var claims: (@Sendable (Set<Capability>) -> Set<Capability>)?
    var seeing: (@Sendable (AuthState) -> AuthState)?
    var persisting: (@Sendable (Client) -> Persistence)?
    var subscribing: (@Sendable (Client) -> AsyncStream<AuthState>)?
    var pendingStep: (@Sendable (SignInStep?) -> SignInStep?)?
    var onRestore: (@Sendable (Client) async -> AuthState)?
    var onSignUp: (@Sendable (Client, any Credential, String?) async throws(AuthError) -> SignInStep)?
    var onMetadataAtSignUp: (@Sendable (Client, any Credential, String?, JSONObject) async throws(AuthError) -> SignInStep)?
    var onSignIn: (@Sendable (Client, any Credential) async throws(AuthError) -> SignInStep)?
    var onRespond: (@Sendable (Client, Flow, ChallengeResponse) async throws(AuthError) -> SignInStep)?
    var onResend: (@Sendable (Client, Flow) async throws(AuthError) -> Challenge)?
    var onCancel: (@Sendable (Client, Flow) async throws(AuthError) -> Void)?
    var onHandle: (@Sendable (Client, String) async -> CallbackOutcome)?
    var onReset: (@Sendable (Client, String) async throws(AuthError) -> SignInStep)?
    var onToken: (@Sendable (Client) async throws(AuthError) -> Secret)?
    var onSession: (@Sendable (Client, SessionRequirement) async throws(AuthError) -> Session)?
    var onAuthorized: (@Sendable (Client, AppRequest, Sending) async throws -> AppResponse<[UInt8]>)?
    var onRefreshUser: (@Sendable (Client) async throws(AuthError) -> User)?
    var onSignOut: (@Sendable (Client, SignOutScope, Bool) async throws(AuthError) -> Void)?
    var onUpdate: (@Sendable (Client, String?, String?) async throws(AuthError) -> User)?
    var onMetadata: (@Sendable (Client, JSONObject) async throws(AuthError) -> User)?
    var onChangePassword: (@Sendable (Client, Secret, Secret?) async throws(AuthError) -> Void)?
    var onBeginPasswordChange: (@Sendable (Client, Secret) async throws(AuthError) -> SignInStep)?
    var onChangeEmail: (@Sendable (Client, String) async throws(AuthError) -> SignInStep)?
    var onLink: (@Sendable (Client, any Credential) async throws(AuthError) -> SignInStep)?
    var onUnlink: (@Sendable (Client, Identity) async throws(AuthError) -> Void)?
    var onFactors: (@Sendable (Client) async throws(AuthError) -> [FactorChoice])?
    var onRemoveFactor: (@Sendable (Client, FactorChoice) async throws(AuthError) -> Void)?
    var onAddFactor: (@Sendable (Client, NewFactor) async throws(AuthError) -> FactorEnrolment)?
    var onRenewBackupCodes: (@Sendable (Client) async throws(AuthError) -> [Secret])?
    var onPasskeys: (@Sendable (Client) async throws(AuthError) -> [Passkey])?
    var onRenamePasskey: (@Sendable (Client, Passkey, String) async throws(AuthError) -> Void)?
    var onRemovePasskey: (@Sendable (Client, Passkey) async throws(AuthError) -> Void)?
    var onOrganizations: (@Sendable (Client) async throws(AuthError) -> [Organization])?
    var onActivate: (@Sendable (Client, Organization?) async throws(AuthError) -> Void)?
    var onSetPhoto: (@Sendable (Client, Photo?) async throws(AuthError) -> User)?
    var onReauthenticate: (@Sendable (Client, any Credential, SensitiveCall?) async throws(AuthError) -> SignInStep)?
    var linkable: (@Sendable ([Capability]) -> [Capability])?
    var renewable: (@Sendable ([Capability]) -> [Capability])?
    var addable: (@Sendable (Set<FactorChoice.Kind>) -> Set<FactorChoice.Kind>)?
    var onDelete: (@Sendable (Client) async throws(AuthError) -> Void)?

    init(_ base: Client) { self.base = base }

    var capabilities: Set<Capability> { claims?(base.capabilities) ?? base.capabilities }
    var state: AuthState { seeing?(base.state) ?? base.state }
    var pending: SignInStep? {
        if let pendingStep { pendingStep(base.pending) } else { base.pending }
    }

    var waysToLink: [Capability] { linkable?(base.waysToLink) ?? base.waysToLink }
    var waysToReauthenticate: [Capability] {
        renewable?(base.waysToReauthenticate) ?? base.waysToReauthenticate
    }
    var factorKinds: Set<FactorChoice.Kind> { addable?(base.factorKinds) ?? base.factorKinds }

    var persistence: Persistence { persisting?(base) ?? base.persistence }

    var states: AsyncStream<AuthState> {
        if let subscribing { return subscribing(base) }
        guard let seeing else { return base.states }
        return base.states.changed { seeing($1) }
    }

    func restore() async -> AuthState {
        let state = if let onRestore { await onRestore(base) } else { await base.restore() }
        return seeing?(state) ?? state
    }

    func signUp<C: Credential>(
        with credential: C, displayName: String?, metadata: JSONObject
    ) async throws(AuthError) -> SignInStep {
        if !metadata.isEmpty {
            if let onMetadataAtSignUp {
                return try await onMetadataAtSignUp(base, credential, displayName, metadata)
            }
            return try await base.signUp(with: credential, displayName: displayName, metadata: metadata)
        }
        if let onSignUp { return try await onSignUp(base, credential, displayName) }
        return try await base.signUp(with: credential, displayName: displayName)
    }

    func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        if let onSignIn { return try await onSignIn(base, credential) }
        return try await base.signIn(with: credential)
    }

    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep {
        if let onRespond { return try await onRespond(base, flow, response) }
        return try await base.respond(to: flow, with: response)
    }

    func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        if let onResend { return try await onResend(base, flow) }
        return try await base.resend(flow)
    }

    func cancel(_ flow: Flow) async throws(AuthError) {
        if let onCancel { return try await onCancel(base, flow) }
        try await base.cancel(flow)
    }

    func handle(_ url: String) async -> CallbackOutcome {
        if let onHandle { return await onHandle(base, url) }
        return await base.handle(url)
    }

    func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        if let onReset { return try await onReset(base, email) }
        return try await base.requestPasswordReset(email: email)
    }

    func settle() async { await base.settle() }

    func accessToken() async throws(AuthError) -> Secret {
        if let onToken { return try await onToken(base) }
        return try await base.accessToken()
    }

    func session(requiring requirement: SessionRequirement) async throws(AuthError) -> Session {
        if let onSession { return try await onSession(base, requirement) }
        return try await base.session(requiring: requirement)
    }

    func authorized(_ request: AppRequest, by send: Sending) async throws -> AppResponse<[UInt8]> {
        if let onAuthorized { return try await onAuthorized(base, request, send) }
        return try await base.authorized(request, by: send)
    }

    func refreshUser() async throws(AuthError) -> User {
        if let onRefreshUser { return try await onRefreshUser(base) }
        return try await base.refreshUser()
    }

    func signOut(_ scope: SignOutScope, discardingAnonymousUser: Bool) async throws(AuthError) {
        if let onSignOut { return try await onSignOut(base, scope, discardingAnonymousUser) }
        try await base.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
    }

    func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User {
        if let onUpdate { return try await onUpdate(base, displayName, photoURL) }
        return try await base.update(displayName: displayName, photoURL: photoURL)
    }

    func update(metadata: JSONObject) async throws(AuthError) -> User {
        if let onMetadata { return try await onMetadata(base, metadata) }
        return try await base.update(metadata: metadata)
    }

    func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        if let onChangePassword {
            return try await onChangePassword(base, new, current)
        }
        try await base.changePassword(to: new, current: current)
    }

    func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        if let onBeginPasswordChange {
            return try await onBeginPasswordChange(base, new)
        }
        return try await base.beginPasswordChange(to: new)
    }

    func changeEmail(to email: String) async throws(AuthError) -> SignInStep {
        if let onChangeEmail { return try await onChangeEmail(base, email) }
        return try await base.changeEmail(to: email)
    }

    func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep {
        if let onLink { return try await onLink(base, credential) }
        return try await base.link(credential)
    }

    func unlink(_ identity: Identity) async throws(AuthError) {
        if let onUnlink { return try await onUnlink(base, identity) }
        try await base.unlink(identity)
    }

    func factors() async throws(AuthError) -> [FactorChoice] {
        if let onFactors { return try await onFactors(base) }
        return try await base.factors()
    }

    func removeFactor(_ factor: FactorChoice) async throws(AuthError) {
        if let onRemoveFactor { return try await onRemoveFactor(base, factor) }
        try await base.removeFactor(factor)
    }

    func renewBackupCodes() async throws(AuthError) -> [Secret] {
        if let onRenewBackupCodes { return try await onRenewBackupCodes(base) }
        return try await base.renewBackupCodes()
    }

    func passkeys() async throws(AuthError) -> [Passkey] {
        if let onPasskeys { return try await onPasskeys(base) }
        return try await base.passkeys()
    }

    func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        if let onRenamePasskey {
            return try await onRenamePasskey(base, passkey, name)
        }
        try await base.renamePasskey(passkey, to: name)
    }

    func removePasskey(_ passkey: Passkey) async throws(AuthError) {
        if let onRemovePasskey { return try await onRemovePasskey(base, passkey) }
        try await base.removePasskey(passkey)
    }

    func organizations() async throws(AuthError) -> [Organization] {
        if let onOrganizations { return try await onOrganizations(base) }
        return try await base.organizations()
    }

    func activate(_ organization: Organization?) async throws(AuthError) {
        if let onActivate { return try await onActivate(base, organization) }
        try await base.activate(organization)
    }

    func setPhoto(_ photo: Photo?) async throws(AuthError) -> User {
        if let onSetPhoto { return try await onSetPhoto(base, photo) }
        return try await base.setPhoto(photo)
    }

    func addFactor(_ factor: NewFactor) async throws(AuthError) -> FactorEnrolment {
        if let onAddFactor { return try await onAddFactor(base, factor) }
        return try await base.addFactor(factor)
    }

    func reauthenticate<C: Credential>(
        with credential: C, thenRetry retry: SensitiveCall?
    ) async throws(AuthError) -> SignInStep {
        if let onReauthenticate {
            return try await onReauthenticate(base, credential, retry)
        }
        return try await base.reauthenticate(with: credential, thenRetry: retry)
    }

    func deleteAccount() async throws(AuthError) {
        if let onDelete { return try await onDelete(base) }
        try await base.deleteAccount()
    }
}

extension AsyncStream where Element: Sendable {
    /// Returns a stream with changed elements.
    ///
    /// The closure receives the number of each element, counted from 0, and can drop it.
    func changed(
        keeping policy: Continuation.BufferingPolicy = .bufferingNewest(16),
        _ change: @escaping @Sendable (Int, Element) -> Element?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        let task = Task {
            var count = 0
            for await element in self {
                if let changed = change(count, element) { continuation.yield(changed) }
                count += 1
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
