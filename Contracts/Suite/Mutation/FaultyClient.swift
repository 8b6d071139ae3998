public import Lockstep

/// A client that forwards each call to another client, except the replaced calls.
public struct FaultyClient: WrappingClient {
    package typealias Client = any PortableClient
    package typealias Sending = @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>

    /// The client that receives the calls.
    public var base: any PortableClient

    package var claims: (@Sendable (Set<Capability>) -> Set<Capability>)?
    package var seeing: (@Sendable (AuthState) -> AuthState)?
    package var persisting: (@Sendable (Client) -> Persistence)?
    package var subscribing: (@Sendable (Client) -> AsyncStream<AuthState>)?
    package var pendingStep: (@Sendable (AuthStep?) -> AuthStep?)?
    package var linkable: (@Sendable ([Capability]) -> [Capability])?
    package var renewable: (@Sendable ([Capability]) -> [Capability])?
    package var addable: (@Sendable (Set<FactorChoice.Kind>) -> Set<FactorChoice.Kind>)?

    // MARK: Calls, each replaced by a function of the client and the call's input

    package var onRestore: (@Sendable (Client) async -> AuthState)?
    package var onSignUp: (@Sendable (Client, any Credential, String?) async throws(AuthError) -> AuthStep)?
    package var onMetadataAtSignUp: (@Sendable (Client, any Credential, String?, JSONObject) async throws(AuthError) -> AuthStep)?
    package var onSignIn: (@Sendable (Client, any Credential) async throws(AuthError) -> AuthStep)?
    package var onRespond: (@Sendable (Client, Flow, ChallengeResponse) async throws(AuthError) -> AuthStep)?
    package var onResend: (@Sendable (Client, Flow) async throws(AuthError) -> Challenge)?
    package var onCancel: (@Sendable (Client, Flow) async throws(AuthError) -> Void)?
    package var onHandle: (@Sendable (Client, String) async -> CallbackOutcome)?
    package var onReset: (@Sendable (Client, String) async throws(AuthError) -> AuthStep)?
    package var onToken: (@Sendable (Client) async throws(AuthError) -> Secret)?
    package var onSession: (@Sendable (Client, SessionRequirement) async throws(AuthError) -> Session)?
    package var onAuthorized: (@Sendable (Client, AppRequest, @escaping Sending) async throws -> AppResponse<[UInt8]>)?
    package var onRefreshUser: (@Sendable (Client) async throws(AuthError) -> User)?
    package var onSignOut: (@Sendable (Client, SignOutScope, Bool) async throws(AuthError) -> Void)?
    package var onUpdate: (@Sendable (Client, String?, String?) async throws(AuthError) -> User)?
    package var onMetadata: (@Sendable (Client, JSONObject) async throws(AuthError) -> User)?
    package var onChangePassword: (@Sendable (Client, Secret, Secret?) async throws(AuthError) -> Void)?
    package var onBeginPasswordChange: (@Sendable (Client, Secret) async throws(AuthError) -> AuthStep)?
    package var onChangeEmail: (@Sendable (Client, String) async throws(AuthError) -> AuthStep)?
    package var onLink: (@Sendable (Client, any Credential) async throws(AuthError) -> AuthStep)?
    package var onUnlink: (@Sendable (Client, Identity) async throws(AuthError) -> Void)?
    package var onReauthenticate: (@Sendable (Client, any Credential, SensitiveCall?) async throws(AuthError) -> AuthStep)?
    package var onSetPhoto: (@Sendable (Client, Photo?) async throws(AuthError) -> User)?
    package var onDelete: (@Sendable (Client) async throws(AuthError) -> Void)?
    package var onFactors: (@Sendable (Client) async throws(AuthError) -> [FactorChoice])?
    package var onAddFactor: (@Sendable (Client, NewFactor) async throws(AuthError) -> FactorEnrolment)?
    package var onRemoveFactor: (@Sendable (Client, FactorChoice) async throws(AuthError) -> Void)?
    package var onRenewBackupCodes: (@Sendable (Client) async throws(AuthError) -> [Secret])?
    package var onPasskeys: (@Sendable (Client) async throws(AuthError) -> [Passkey])?
    package var onRenamePasskey: (@Sendable (Client, Passkey, String) async throws(AuthError) -> Void)?
    package var onRemovePasskey: (@Sendable (Client, Passkey) async throws(AuthError) -> Void)?
    package var onOrganizations: (@Sendable (Client) async throws(AuthError) -> [Organization])?
    package var onActivate: (@Sendable (Client, Organization?) async throws(AuthError) -> Void)?

    package init(_ base: Client) { self.base = base }

    /// Makes a call, or its replacement.
    ///
    /// - Returns: The result.
    /// - Throws: The error of the call, or of its replacement.
    public func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output {
        if let output = try await call.replaced(by: self) { return output }
        return try await base.perform(call)
    }

    /// The capabilities that the faulty client shows.
    public var capabilities: Set<Capability> { claims?(base.capabilities) ?? base.capabilities }
    /// The authentication state that the faulty client shows.
    public var state: AuthState { seeing?(base.state) ?? base.state }
    /// The authentication states that the faulty client shows.
    public var states: AsyncStream<AuthState> {
        if let subscribing { return subscribing(base) }
        guard let seeing else { return base.states }
        return base.states.changed { seeing($1) }
    }
    /// The persistence that the faulty client shows.
    public var persistence: Persistence { persisting?(base) ?? base.persistence }
    /// The step that the faulty client shows.
    public var pending: AuthStep? {
        if let pendingStep { pendingStep(base.pending) } else { base.pending }
    }
    /// The sign-in methods that, as the faulty client shows, the user can add.
    public var linkMethods: [Capability] { linkable?(base.linkMethods) ?? base.linkMethods }
    /// The methods that, as the faulty client shows, the user can use to sign in again.
    public var reauthenticationMethods: [Capability] { renewable?(base.reauthenticationMethods) ?? base.reauthenticationMethods }
    /// The kinds of second factors that, as the faulty client shows, users can add.
    public var factorKinds: Set<FactorChoice.Kind> { addable?(base.factorKinds) ?? base.factorKinds }
}

extension AsyncStream where Element: Sendable {
    /// Returns a stream with changed elements.
    ///
    /// The closure receives the number of each element, counted from 0, and can drop it.
    package func changed(
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
