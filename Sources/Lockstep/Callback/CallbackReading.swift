public import LockstepPrimitives

/// Reads the links of one backend: nothing is sent, nothing is changed.
public protocol CallbackReading: Sendable {
    /// The app's callback addresses, as configured in the backend's project; a URL for any other address is not the app's.
    var addresses: [CallbackAddress] { get }

    /// The content of the link.
    func read(_ callback: Callback) -> CallbackContent
}

/// The content of a link.
public enum CallbackContent: Sendable {
    /// It is not from this backend.
    case notOurs
    /// It is a refusal: by the identity provider, the user there, or the backend (`linkExpired`, `linkUsed`, `providerRefused`).
    case refusal(AuthError)
    /// It carries a proof for flows of these kinds, begun on this device where `state` was remembered.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}
