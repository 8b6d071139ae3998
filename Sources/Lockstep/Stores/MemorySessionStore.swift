public import LockstepPrimitives
internal import Synchronization

/// A store that lasts as long as the process: for one user of one process, in tests, previews and command-line tools.
///
/// Two users take two of them: two clients on one share a session.
///
/// It promises nothing when the power goes. A load or replace takes a lock and no time to speak of (docs/performance.md).
public final class MemorySessionStore: SessionStore {
    private struct State {
        var values: [StoreKey: StoredValue] = [:]
        var aside: [StoreKey: [[UInt8]]] = [:]
        var writes = 0
    }

    private let state = Mutex(State())
    private let locks: ExclusiveLocks

    /// An empty store.
    ///
    /// - Parameter clock: measures the wait for an exclusive lock.
    public init(clock: any DeviceClock = SystemClock()) {
        locks = ExclusiveLocks(clock: clock)
    }

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        state.withLock { $0.values[key] }
    }

    /// Replaces the bytes under a key if their revision is still the one given.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        let written: Revision? = state.withLock { state in
            guard state.values[key]?.revision == revision else { return nil }
            state.writes += 1
            let next = Revision(rawValue: String(state.writes))
            state.values[key] = StoredValue(bytes: bytes, revision: next)
            return next
        }
        guard let written else { throw .changed }
        return written
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        state.withLock { $0.values[key] = nil }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let isRemoved = state.withLock { state in
            guard state.values[key]?.revision == revision else { return false }
            state.values[key] = nil
            return true
        }
        guard isRemoved else { throw .changed }
    }

    /// Quarantines the value under a key; ``quarantinedValues(for:)`` returns it.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let isMoved = state.withLock { state in
            guard let value = state.values[key], value.revision == revision else { return false }
            state.values[key] = nil
            state.aside[key] = ((state.aside[key] ?? []) + [value.bytes]).suffix(8)
            return true
        }
        guard isMoved else { throw .changed }
    }

    /// The quarantined values of a key, the oldest first.
    public func quarantinedValues(for key: StoreKey) -> [[UInt8]] { state.withLock { $0.aside[key] ?? [] } }

    /// The keys that hold something.
    public func keys() async throws(StoreError) -> [StoreKey] {
        state.withLock { Array($0.values.keys) }
    }

    /// Runs `body` with the exclusive lock of the key held.
    public func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await locks.enter(key, lockTimeout: lockTimeout)
        let result = await body()
        locks.leave(key)
        return result
    }
}
