public import LockstepPrimitives
internal import Synchronization

/// A session store in memory, for one user in tests, previews and command-line tools.
///
/// The values are lost when the process ends. Two clients with the same store share a session, so two users need two
/// stores. A call needs almost no time.
///
/// ```swift
/// let client = AuthClient(adapter: adapter, store: MemorySessionStore())
/// ```
public final class MemorySessionStore: SessionStore {
    private struct State {
        var values: [StoreKey: StoredValue] = [:]
        var aside: [StoreKey: [[UInt8]]] = [:]
        var writes = 0
    }

    private let state = Mutex(State())
    private let locks: ExclusiveLocks

    /// Creates an empty store.
    ///
    /// - Parameter clock: The clock for the time limits of locks.
    public init(clock: any DeviceClock = SystemClock()) {
        locks = ExclusiveLocks(clock: clock)
    }

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: ``StoreError``, as ``SessionStore/load(_:)`` does.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        state.withLock { $0.values[key] }
    }

    /// Replaces the bytes under a key if their revision has not changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The expected revision; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: ``StoreError``, as ``SessionStore/replace(_:with:unlessChangedSince:)`` does.
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

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``StoreError``.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        state.withLock { $0.values[key] = nil }
    }

    /// Removes the value under a key if its revision has not changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/remove(_:unlessChangedSince:)`` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let isRemoved = state.withLock { state in
            guard state.values[key]?.revision == revision else { return false }
            state.values[key] = nil
            return true
        }
        guard isRemoved else { throw .changed }
    }

    /// Quarantines the value under a key.
    ///
    /// ``quarantinedValues(for:)`` returns the value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: ``StoreError``, as ``SessionStore/quarantine(_:unlessChangedSince:)`` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let isMoved = state.withLock { state in
            guard let value = state.values[key], value.revision == revision else { return false }
            state.values[key] = nil
            state.aside[key] = ((state.aside[key] ?? []) + [value.bytes]).suffix(8)
            return true
        }
        guard isMoved else { throw .changed }
    }

    /// Returns the quarantined values of a key, the oldest one first.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values.
    public func quarantinedValues(for key: StoreKey) -> [[UInt8]] { state.withLock { $0.aside[key] ?? [] } }

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: ``StoreError``.
    public func keys() async throws(StoreError) -> [StoreKey] {
        state.withLock { Array($0.values.keys) }
    }

    /// Runs a closure while the store holds the exclusive lock of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The maximum time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``StoreError``: `busy` if the lock is not free within `lockTimeout`.
    public func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await locks.enter(key, lockTimeout: lockTimeout)
        let result = await body()
        locks.leave(key)
        return result
    }
}
