internal import Lockstep
internal import LockstepPrimitives

/// A store whose exclusive locks do not block any caller.
struct UnguardedStore: SessionStore {
    let base: any SessionStore

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { try await base.load(key) }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) { try await base.remove(key) }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] { try await base.keys() }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        await body()
    }
}
