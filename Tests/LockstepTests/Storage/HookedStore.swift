import Lockstep
import Synchronization

/// A store that lets a test run code, or throw, before each of its calls.
final class HookedStore: SessionStore {
    enum Call: Sendable { case load, replace, remove, quarantine }
    typealias Hook = @Sendable (Call, StoreKey) async throws(StoreError) -> Void

    private struct State {
        var hook: Hook?
        var writes: [StoreKey.Slot] = []
    }

    private let base: any SessionStore
    private let state = Mutex(State())

    init(_ base: any SessionStore) { self.base = base }

    /// The function to call before each call from now on.
    func before(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Rejects every write and removal in these slots.
    func refuses(_ slots: Set<StoreKey.Slot>) {
        before { call, key throws(StoreError) in
            if call != .load, slots.contains(key.slot) { throw StoreError(.full, "There is no space left.") }
        }
    }

    /// The slots that were written.
    var writes: [StoreKey.Slot] { state.withLock { $0.writes } }

    private func pass(_ call: Call, _ key: StoreKey) async throws(StoreError) {
        if let hook = state.withLock({ $0.hook }) { try await hook(call, key) }
        if call != .load { state.withLock { $0.writes.append(key.slot) } }
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await pass(.load, key)
        return try await base.load(key)
    }

    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await pass(.replace, key)
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try await pass(.remove, key)
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await pass(.remove, key)
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await pass(.quarantine, key)
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] { try await base.keys() }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}

/// A place where a task waits until a test opens it, and which reports the task's arrival.
final class Gate: Sendable {
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    private let (opening, opened) = AsyncStream<Void>.makeStream()
    private let isUsed = Mutex(false)

    /// Waits here the first time.
    func pass() async {
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        guard isFirst else { return }
        arrived.finish()
        for await _ in opening {}
    }

    func untilArrived() async { for await _ in arrivals {} }

    func open() { opened.finish() }
}
