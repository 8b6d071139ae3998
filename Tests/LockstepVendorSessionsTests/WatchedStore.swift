import Lockstep
import Synchronization

/// A store that runs a closure before each call, for example to fail like the store of a killed process.
final class WatchedStore: SessionStore {
    typealias Watch = @Sendable (_ call: Int, _ isWrite: Bool) async throws(StoreError) -> Void

    private let base: any SessionStore
    private let watch: Watch
    private let calls = Mutex(0)

    init(_ base: any SessionStore, _ watch: @escaping Watch) { (self.base, self.watch) = (base, watch) }

    private func begin(isWrite: Bool = false) async throws(StoreError) {
        let call = calls.withLock { calls in
            defer { calls += 1 }
            return calls
        }
        try await watch(call, isWrite)
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await begin()
        return try await base.load(key)
    }

    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try await begin(isWrite: true)
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try await begin(isWrite: true)
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await begin(isWrite: true)
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await begin()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try await begin()
        return try await base.keys()
    }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await begin()
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}
