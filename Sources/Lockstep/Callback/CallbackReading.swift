public import LockstepPrimitives

/// Reads the links of one backend: nothing is sent, nothing is changed.
public protocol CallbackReading: Sendable {
    /// The app's callback addresses, as configured in the backend's project; a URL for any other address is not the app's.
    var addresses: [CallbackAddress] { get }

    /// The content of the link.
    func read(_ callback: Callback) -> CallbackContent

    /// Whether a parameter of this name decides what a link of this backend does.
    ///
    /// Such a parameter must be readable and have one value; all others may be broken or repeated. Default: every name that
    /// ``Callback/mayDecide(_:)``.
    func decides(_ name: String) -> Bool

    /// Whether a message with a link shows a code as well, which the user can type instead. Default: no.
    var linksComeWithCodes: Bool { get }
}

extension CallbackReading {
    /// Every name that is not known to be for people or analytics.
    public func decides(_ name: String) -> Bool { Callback.mayDecide(name) }

    /// No.
    public var linksComeWithCodes: Bool { false }
}

/// Opens links that this device did not ask for: invitations, and messages whose request ended before its answer came.
public protocol UnrequestedLinks: Sendable {
    /// The kind of flow that the link begins; `nil` for a link that only the flow that asked for it can use.
    ///
    /// No request is sent.
    ///
    /// - Parameters:
    ///   - callback: A link that no flow of this device waits for.
    ///   - device: The notes of this device, with the session of the user who is signed in.
    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind?

    /// Opens the link in a new flow.
    ///
    /// A flow of kind `emailChange`, `linking` or `reauthentication` has the session of the user who is signed in. The client calls this
    /// method for any other kind only while no user is signed in.
    ///
    /// - Parameters:
    ///   - callback: The link.
    ///   - flow: The memory of the new flow.
    /// - Returns: the session, or the next step.
    /// - Throws: an `AuthError` of the adapter's error table.
    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// No URL is this backend's: for an adapter whose messages hold codes alone.
public struct NoCallbacks: CallbackReading {
    /// None.
    public var addresses: [CallbackAddress] { [] }

    /// An adapter without links.
    public init() {}

    /// Another app's.
    public func read(_ callback: Callback) -> CallbackContent { .notOurs }
}

/// The content of a link.
public enum CallbackContent: Sendable {
    /// It is not from this backend.
    case notOurs
    /// It is a refusal: by the identity provider, the user there, or the backend (`linkExpired`, `linkUsed`, `providerRefused`).
    case refusal(AuthError)
    /// It carries a proof for flows of these kinds, begun on this device where `state` was remembered.
    ///
    /// Without a kind it is for no flow of this device: an invitation.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}

/// The result of handling a URL.
public enum CallbackOutcome: Sendable {
    /// The URL is not for this app's sign-in: nothing was done.
    case notOurs
    /// The URL was accepted: this is the next step, or the session.
    case step(SignInStep)
    /// It is ours and was refused: `linkExpired`, `linkUsed`, `linkInvalid`, `flowStartedElsewhere`, `providerRefused`…
    case refused(AuthError)
}
