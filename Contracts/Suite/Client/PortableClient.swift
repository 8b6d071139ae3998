public import Lockstep
@_exported public import LockstepPrimitives

/// The client that contracts use.
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
    var pending: AuthStep? { get }
    /// The sign-in methods that the user can add.
    var linkMethods: [Capability] { get }
    /// The methods that the user can use to sign in again.
    var reauthenticationMethods: [Capability] { get }
    /// The kinds of second factors that users can add.
    var factorKinds: Set<FactorChoice.Kind> { get }
    /// Waits until all work in the background has ended.
    func settle() async

    /// Makes a call.
    ///
    /// - Returns: The result of the call.
    /// - Throws: The error of the client.
    func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output
}

extension AuthClient: PortableClient {
    /// The kinds of second factors that users can add.
    public var factorKinds: Set<FactorChoice.Kind> { account.factors.kinds }
    /// The sign-in methods that the user can add.
    public var linkMethods: [Capability] { account.linkMethods }
    /// The methods that the user can use to sign in again.
    public var reauthenticationMethods: [Capability] { account.reauthenticationMethods }

    /// Makes a call.
    ///
    /// - Returns: The result of the call.
    /// - Throws: The error of the client.
    public func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output { try await call.perform(on: self) }
}

/// A client that makes its calls on another client.
public protocol WrappingClient: PortableClient {
    /// The other client.
    var base: any PortableClient { get }
}

extension WrappingClient {
    /// The capabilities of the other client's adapter.
    public var capabilities: Set<Capability> { base.capabilities }
    /// The authentication state of the other client.
    public var state: AuthState { base.state }
    /// The authentication states of the other client.
    public var states: AsyncStream<AuthState> { base.states }
    /// Whether the next launch of the app will find the session of the other client.
    public var persistence: Persistence { base.persistence }
    /// The step that the user of the other client has to complete.
    public var pending: AuthStep? { base.pending }
    /// The sign-in methods that the user of the other client can add.
    public var linkMethods: [Capability] { base.linkMethods }
    /// The methods that the user of the other client can use to sign in again.
    public var reauthenticationMethods: [Capability] { base.reauthenticationMethods }
    /// The kinds of second factors that users of the other client can add.
    public var factorKinds: Set<FactorChoice.Kind> { base.factorKinds }

    /// Waits until the other client has done all its work in the background.
    public func settle() async { await base.settle() }
}
