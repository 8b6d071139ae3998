internal import Lockstep

/// A store that forwards each call to another store, except the replaced calls.
struct MutantStore: SessionStore {
    let base: any SessionStore
    var onKey: @Sendable (StoreKey) -> StoreKey = { $0 }
    var onLoad: (@Sendable (any SessionStore, StoreKey) async throws(StoreError) -> StoredValue?)?
    var onReplace: (@Sendable (any SessionStore, StoreKey, [UInt8], Revision?) async throws(StoreError) -> Revision)?
    var onRemove: (@Sendable (any SessionStore, StoreKey) async throws(StoreError) -> Void)?
    var onRemoveIfUnchanged: (@Sendable (any SessionStore, StoreKey, Revision) async throws(StoreError) -> Void)?
    var onQuarantine: (@Sendable (any SessionStore, StoreKey, Revision) async throws(StoreError) -> Void)?
    var onEnter: (@Sendable (any SessionStore, StoreKey) async throws(StoreError) -> Void)?
    var onLeave: (@Sendable (any SessionStore, StoreKey) async -> Void)?
    var lockTimeout: Duration?

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        if let onLoad { return try await onLoad(base, key) }
        return try await base.load(onKey(key))
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        if let onReplace { return try await onReplace(base, key, bytes, revision) }
        return try await base.replace(onKey(key), with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        if let onRemove { return try await onRemove(base, key) }
        try await base.remove(onKey(key))
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        if let onRemoveIfUnchanged { return try await onRemoveIfUnchanged(base, key, revision) }
        try await base.remove(onKey(key), unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        if let onQuarantine { return try await onQuarantine(base, key, revision) }
        try await base.quarantine(onKey(key), unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] { try await base.keys() }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        guard let onEnter else { return try await base.exclusively(key, lockTimeout: self.lockTimeout ?? lockTimeout, body) }
        let outcome = try await base.exclusively(key, lockTimeout: lockTimeout) { () -> Swift.Result<Result, StoreError> in
            do throws(StoreError) { try await onEnter(base, key) } catch { return .failure(error) }
            let result = await body()
            await onLeave?(base, key)
            return .success(result)
        }
        return try outcome.get()
    }
}
