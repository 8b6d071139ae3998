internal import Synchronization

/// Whether a relaunch finds the client's state.
public enum Persistence: Sendable, Hashable {
    /// Everything is stored.
    case stored
    /// The store has refused a write, for this reason: the change is in memory only, and the write is retried while the client
    /// lives.
    ///
    /// After a sign-in it means that the user is signed in until the app ends; after a sign-out, that the session may come back.
    case memoryOnly(StoreFailure)
}

extension AuthClient {
    /// Whether a relaunch finds this client's state, without waiting.
    ///
    /// Check it after a sign-in or a sign-out: both take effect at once, also on a store that cannot be written. The events
    /// `session.persistence-failed` and `session.persistence-healed` report when it changes.
    public var persistence: Persistence { core.withLock { $0.persistence } }
}

extension ClientState {
    fileprivate var persistence: Persistence {
        let failure = sessions.refusal ?? StoreKey.Slot.allCases.lazy.compactMap { refused[$0] }.first
        return failure.map { .memoryOnly($0) } ?? .stored
    }
}
