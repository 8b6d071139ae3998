@_exported public import Lockstep
@_exported public import LockstepHTTP

/// A failure that knows whether the call may have taken effect all the same.
package protocol EffectFailure: Error {
    /// Whether what the call asked for may be done.
    var mayHaveTakenEffect: Bool { get }
}

extension HTTPFailure: EffectFailure {
    /// Whether any of the request has left.
    package var mayHaveTakenEffect: Bool { phase != .neverSent }
}

extension AuthError {
    /// Whether the backend may have done what the failed call asked for, or a part of it.
    ///
    /// Repeating the call could do it twice, and a refusal of the repetition may mean that it was done before. It is false where
    /// the request never left, and where the backend has refused it.
    public var mayHaveTakenEffect: Bool {
        if !completed.isEmpty { return true }
        if let failure = underlying as? any EffectFailure { return failure.mayHaveTakenEffect }
        return [.network, .timedOut, .cancelled, .invalidResponse, .serverUnavailable].contains(code)
    }
}
