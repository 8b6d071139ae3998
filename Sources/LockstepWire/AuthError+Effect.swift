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
    /// Whether the failed call may have taken effect at the backend, completely or in part.
    ///
    /// To repeat it could do it twice, and a rejected repetition may mean that the first call worked. It is `false` if
    /// the request was never sent, and if the backend rejected it.
    public var mayHaveTakenEffect: Bool {
        if !completed.isEmpty { return true }
        if let failure = underlying as? any EffectFailure { return failure.mayHaveTakenEffect }
        return [.network, .timedOut, .cancelled, .invalidResponse, .serverUnavailable].contains(code)
    }
}
