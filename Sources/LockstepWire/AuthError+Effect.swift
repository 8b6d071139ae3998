@_exported public import Lockstep
@_exported public import LockstepHTTP

/// A failure that reports whether the call may still have changed something.
package protocol EffectFailure: Error {
    /// Whether the failed call may have changed something.
    var mayHaveTakenEffect: Bool { get }
}

extension HTTPFailure: EffectFailure {
    /// Whether a part of the request was sent.
    package var mayHaveTakenEffect: Bool { phase != .neverSent }
}

extension AuthError {
    /// Whether the failed call may have changed data on the backend.
    ///
    /// If so, a second call could make the change twice. If the backend rejects the second call, the first call may
    /// have succeeded.
    ///
    /// The value is `false` if the request was never sent, or if the backend rejected it.
    public var mayHaveTakenEffect: Bool {
        if !completed.isEmpty { return true }
        if let failure = underlying as? any EffectFailure { return failure.mayHaveTakenEffect }
        return [.network, .timedOut, .cancelled, .invalidResponse, .serverUnavailable].contains(code)
    }
}
