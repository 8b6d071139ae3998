internal import LockstepPrimitives
internal import Synchronization

/// A store with a time limit for every read and write, because a store that hangs must not block a call.
///
/// A change that took too long may still complete: the next change under its key waits for it, so that an older one never undoes
/// a newer.
final class PunctualStore: SessionStore {
    private let base: any SessionStore
    private let clock: any DeviceClock
    private let limit: Duration
    private let unfinished = Mutex<[StoreKey: Task<Void, Never>]>([:])

    /// How long the store gets where the call's own time is over: enough for one that works.
    private static let grace = Duration.seconds(1)

    init(_ base: any SessionStore, limit: Duration, clock: any DeviceClock) {
        self.base = base
        self.clock = clock
        self.limit = limit
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await inTime { [base] () async throws(StoreError) in try await base.load(key) }
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.replace(key, with: bytes, unlessChangedSince: revision)
        }
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in try await base.remove(key) }
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.remove(key, unlessChangedSince: revision)
        }
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.quarantine(key, unlessChangedSince: revision)
        }
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try await inTime { [base] () async throws(StoreError) in try await base.keys() }
    }

    /// `lockTimeout` limits the wait for it; what runs inside has its own limits.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    private func change<Value: Sendable>(
        _ key: StoreKey, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let older = unfinished.withLock { $0[key] }
        return try await inTime(unfinishedUnder: key) { () async throws(StoreError) in
            await older?.value
            return try await body()
        }
    }

    private func inTime<Value: Sendable>(
        unfinishedUnder key: StoreKey? = nil, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        // A change cancelled half way would leave it unknown what is stored: the work goes on, its caller waits.
        let work = Task { () async -> Result<Value, StoreError> in
            do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let limit = CallDeadline.left(of: limit, atLeast: min(limit, Self.grace), on: clock)
        if case .value(let result) = await clock.wait(atMost: limit, isShielded: true, for: { await work.value }) {
            return try result.get()
        }
        if let key {
            unfinished.withLock { $0[key] = Task { _ = await work.value } }
        } else {
            work.cancel()
        }
        throw StoreError(.busy, "The store has not answered within \(limit). What was asked of it may still be done.")
    }
}
