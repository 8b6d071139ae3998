public import LockstepPrimitives

/// What an adapter can tell of a link by reading alone: nothing is sent, nothing is changed.
public protocol CallbackReading: Sendable {
    /// Where the app takes links back, as the backend's project has it; a URL for any other address is not the app's.
    var addresses: [CallbackAddress] { get }

    /// What the link says.
    func read(_ callback: Callback) -> CallbackContent
}

/// What a link says.
public enum CallbackContent: Sendable {
    /// It is not from this backend.
    case notOurs
    /// It is a refusal: by the identity provider, the user there, or the backend (`linkExpired`, `linkUsed`, `providerRefused`).
    case refusal(AuthError)
    /// It carries a proof for flows of these kinds, begun on this device where `state` was remembered.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}
