internal import Lockstep
internal import LockstepPrimitives

/// A store with values that a faulty disk, or an older or a newer version of the app, has written.
struct SpoilingStore: SessionStore {
    let base: MemorySessionStore
    let dice: Dice
    /// One load in this many is damaged.
    let rate: Int

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        guard let value = try await base.load(key), dice.hits(oneIn: rate) else { return try await base.load(key) }
        guard dice.roll(6) > 0, var json = try? JSON.parse(value.bytes) else {
            return StoredValue(bytes: TextMutation(dice: dice).mutated(value.bytes), revision: value.revision)
        }
        for _ in 0..<(1 + dice.roll(3)) { json = JSONMutation(dice: dice).mutated(json) }
        return StoredValue(bytes: json.bytes(), revision: value.revision)
    }

    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
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
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}
