package import Lockstep

/// A store in front of another store, for tests: it forwards each call that the conforming type does not replace.
package protocol ForwardingStore: SessionStore {
    var base: any SessionStore { get }

    /// Runs before each call, and can reject it.
    func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError)
}

/// A kind of call to a store.
package enum StoreCall: Sendable {
    case load, replace, remove, quarantine, keys, lock

    /// Whether the call changes the store.
    package var isChange: Bool { [.replace, .remove, .quarantine].contains(self) }
}

extension ForwardingStore {
    package func begin(_ call: StoreCall, _ key: StoreKey?) async throws(StoreError) {}

    package func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await begin(.load, key)
        return try await base.load(key)
    }

    package func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        try await begin(.replace, key)
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    package func remove(_ key: StoreKey) async throws(StoreError) {
        try await begin(.remove, key)
        try await base.remove(key)
    }

    package func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await begin(.remove, key)
        try await base.remove(key, unlessChangedSince: revision)
    }

    package func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await begin(.quarantine, key)
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    package func keys() async throws(StoreError) -> [StoreKey] {
        try await begin(.keys, nil)
        return try await base.keys()
    }

    package func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await begin(.lock, key)
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}
