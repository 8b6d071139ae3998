public import LockstepPrimitives

/// Reads the links of one backend.
///
/// It sends nothing and changes nothing.
public protocol CallbackReading: Sendable {
    /// The app's callback URLs, as configured in the backend's project.
    ///
    /// The app ignores a URL with any other address.
    var addresses: [CallbackAddress] { get }

    /// Reads a link.
    ///
    /// - Parameter callback: The link.
    /// - Returns: Its content.
    func read(_ callback: Callback) -> CallbackContent

    /// Returns whether a parameter decides what a link of this backend does.
    ///
    /// Such a parameter must be valid and have one value. All others may be invalid or repeated. Default:
    /// ``Callback/mayDecide(_:)``.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: Whether it decides.
    func decides(_ name: String) -> Bool

    /// Whether a message with a link also contains a code that the user can enter instead.
    ///
    /// Default: `false`.
    var linksComeWithCodes: Bool { get }
}

extension CallbackReading {
    /// Default: ``Callback/mayDecide(_:)``.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: Whether it decides.
    public func decides(_ name: String) -> Bool { Callback.mayDecide(name) }

    /// Default: `false`.
    public var linksComeWithCodes: Bool { false }
}

/// Opens links that this device did not request: invitations, and messages whose request ended without a response.
public protocol UnrequestedLinks: Sendable {
    /// Returns the kind of flow that a link starts.
    ///
    /// It sends no request.
    ///
    /// - Parameters:
    ///   - callback: A link that no flow of this device waits for.
    ///   - device: The notes of this device, with the session of the signed-in user.
    /// - Returns: The kind of flow; `nil` if only the flow that requested the link can use it.
    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind?

    /// Opens a link in a new flow.
    ///
    /// A flow of kind `emailChange`, `linking` or `reauthentication` has the session of the signed-in user. For any other
    /// kind, the client calls this method only if no user is signed in.
    ///
    /// - Parameters:
    ///   - callback: The link.
    ///   - flow: The memory of the new flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// Accepts no URL.
///
/// For an adapter whose messages contain only codes.
public struct NoCallbacks: CallbackReading {
    /// No addresses.
    public var addresses: [CallbackAddress] { [] }

    /// Creates a reader that accepts no URL.
    public init() {}

    /// Returns `notOurs` for every link.
    ///
    /// - Parameter callback: The link.
    /// - Returns: `notOurs`.
    public func read(_ callback: Callback) -> CallbackContent { .notOurs }
}

/// The content of a link.
public enum CallbackContent: Sendable {
    /// The link is not from this backend.
    case notOurs
    /// The link reports an error of the identity provider, of the user there, or of the backend: `linkExpired`,
    /// `linkUsed`, `providerRefused`.
    case refusal(AuthError)
    /// The link completes a flow of one of these kinds.
    ///
    /// If `state` is set, this device must have started the flow.
    ///
    /// If there is no kind, the link does not belong to a flow of this device, as an invitation.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}

/// The outcome of handling a URL.
public enum CallbackOutcome: Sendable {
    /// The URL does not belong to this app's sign-in.
    ///
    /// Nothing was done.
    case notOurs
    /// The URL was accepted.
    ///
    /// This is the next step, or the session.
    case step(SignInStep)
    /// The URL belongs to this app's sign-in but was rejected: `linkExpired`, `linkUsed`, `linkInvalid`,
    /// `flowStartedElsewhere`, `providerRefused`, and others.
    case refused(AuthError)
}
