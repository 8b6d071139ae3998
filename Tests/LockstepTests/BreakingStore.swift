import Lockstep
import Synchronization

/// A store that works for some calls and then fails forever, like the store of a killed process.
final class BreakingStore: SessionStore {
    private let base: any SessionStore
    private let calls: Budget

    /// The number of remaining calls, for all stores that share it.
    final class Budget: Sendable {
        private let left: Mutex<Int>
        init(_ calls: Int) { left = Mutex(calls) }

        /// Uses one call, or fails.
        func spend() throws(StoreError) {
            let isThere = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if !isThere { throw StoreError(.unwritable, "It has broken.") }
        }
    }

    init(_ base: any SessionStore, _ calls: Budget) {
        self.base = base
        self.calls = calls
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try calls.spend()
        return try await base.load(key)
    }

    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try calls.spend()
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try calls.spend()
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try calls.spend()
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try calls.spend()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try calls.spend()
        return try await base.keys()
    }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try calls.spend()
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}
