public import LockstepPrimitives

/// The part of an adapter that reads the links of its backend.
///
/// A reader sends no request and changes no state.
public protocol CallbackReading: Sendable {
    /// The app's callback URLs, as configured in the backend's project.
    ///
    /// The client ignores a URL with any other address.
    var addresses: [CallbackAddress] { get }

    /// Reads a link.
    ///
    /// - Parameter callback: The link.
    /// - Returns: The content of the link.
    func read(_ callback: Callback) -> CallbackContent

    /// Returns whether a parameter decides what a link of this backend does.
    ///
    /// Each deciding parameter must be valid and have one value. All other parameters may be invalid or repeated.
    /// Default: ``Callback/mayDecide(_:)``.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: Whether the parameter decides what the link does.
    func decides(_ name: String) -> Bool

    /// Whether a message with a link also contains a code that the user can enter instead.
    ///
    /// Default: `false`.
    var linksComeWithCodes: Bool { get }
}

extension CallbackReading {
    /// Default: returns the result of ``Callback/mayDecide(_:)``.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: Whether the parameter decides what the link does.
    public func decides(_ name: String) -> Bool { Callback.mayDecide(name) }

    /// Default: `false`.
    ///
    /// A message with a link contains no code.
    public var linksComeWithCodes: Bool { false }
}

/// The part of an adapter that opens links that this device did not request.
///
/// For example, such a link comes from an invitation, or from a message whose request got no response.
public protocol UnrequestedLinks: Sendable {
    /// Returns the kind of flow that a link starts.
    ///
    /// This method sends no request.
    ///
    /// - Parameters:
    ///   - callback: A link that no flow of this device waits for.
    ///   - device: The notes of this device, with the session of the signed-in user.
    /// - Returns: The kind of flow; `nil` if only the flow that requested the link can use the link.
    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind?

    /// Opens a link in a new flow.
    ///
    /// If the kind is `emailChange`, `linking` or `reauthentication`, the memory of the flow contains the session of
    /// the signed-in user. For any other kind, the client calls this method only if no user is signed in.
    ///
    /// - Parameters:
    ///   - callback: The link.
    ///   - flow: The memory of the new flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep

    /// Returns the name of the parameter with a token that the app can pass to `signIn(with: .ticket(…))`.
    ///
    /// The client calls this method for a link that it rejects, because no flow of this device requested it. The app's server
    /// may have created the link. Default: `nil`.
    ///
    /// - Parameter callback: The link.
    /// - Returns: The name of the parameter; `nil` if the link contains no such token.
    func ticketName(in callback: Callback) -> String?
}

extension UnrequestedLinks {
    /// Default: `nil`.
    ///
    /// The link contains no ticket.
    ///
    /// - Parameter callback: The link.
    /// - Returns: `nil`.
    public func ticketName(in callback: Callback) -> String? { nil }
}

/// A reader that accepts no URL, for an adapter whose messages contain only codes.
public struct NoCallbacks: CallbackReading {
    /// An empty list: no URL opens the app for this adapter.
    public var addresses: [CallbackAddress] { [] }

    /// Creates a reader that accepts no URL.
    public init() {}

    /// Returns `notOurs` for every link.
    ///
    /// - Parameter callback: The link.
    /// - Returns: `notOurs`.
    public func read(_ callback: Callback) -> CallbackContent { .notOurs }
}

/// The content of a link after the adapter has read it.
public enum CallbackContent: Sendable {
    /// The link does not come from this backend.
    case notOurs
    /// The link reports an error of the identity provider or the backend: `linkExpired`, `linkUsed`, `providerRefused`.
    ///
    /// `providerRefused` can also mean that the user cancelled on the provider's page.
    case refusal(AuthError)
    /// The link completes a flow of one of these kinds.
    ///
    /// If `state` is set, this device must have started the flow. If `kinds` is empty, no flow of this device requested
    /// the link. An invitation is an example.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}

/// The outcome of ``AuthClient/handle(_:)``.
///
/// ```swift
/// if case .refused(let error) = await client.handle("myapp://auth/callback?error=access_denied") {
///     print(error.message)
/// }
/// ```
public enum CallbackOutcome: Sendable {
    /// The URL does not belong to this app's sign-in.
    ///
    /// The client did nothing.
    case notOurs
    /// The client accepted the URL.
    ///
    /// The value is the next step, or the session.
    case step(AuthStep)
    /// The URL belongs to this app's sign-in, but the client or the backend rejected it: `linkExpired`, `linkUsed`,
    /// `linkInvalid`, `flowStartedElsewhere`, `providerRefused`, and others.
    case refused(AuthError)
}
