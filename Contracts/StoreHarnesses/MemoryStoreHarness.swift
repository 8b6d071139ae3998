internal import Lockstep
package import LockstepContracts

/// A harness for the store in memory.
///
/// The place of this store is an object in memory.
package struct MemoryStoreHarness: StoreHarness {
    /// The name `memory`.
    package let name = "memory"

    /// Creates a harness.
    package init() {}

    /// Sets up an empty store, and passes its place to a closure.
    ///
    /// - Parameter body: The closure that receives the place.
    /// - Throws: The error that `body` throws.
    package func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws { try await body(MemoryPlace()) }
}

private struct MemoryPlace: StorePlace {
    let store = MemorySessionStore()

    func open() async throws -> any SessionStore { store }

    func contains(_ bytes: [UInt8]) async throws -> Bool {
        let search = SecretSearch(of: bytes)
        for key in try await store.keys() {
            if let value = try await store.load(key), search.isFound(in: value.bytes) { return true }
        }
        return store.quarantinedValues(for: StoreCatalog.key).contains(where: search.isFound)
    }
}
