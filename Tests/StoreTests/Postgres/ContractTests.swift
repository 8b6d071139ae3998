import LockstepContracts
import LockstepPostgresStore
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("The PostgreSQL store", .limitedConcurrency)
struct ContractTests {
    @Test("keeps its contracts", arguments: StoreCatalog.all)
    func keeps(_ promise: StoreContract) async {
        let verdict = await promise.check(on: PostgresStoreHarness())
        // The disk and the files belong to the server. Another test covers the store's handling of a full disk.
        let cannot = [
            "store.full-disk", "store.obstacles", "store.exposed", "store.vanished", "store.folder-kept", "store.folder-named",
        ].contains(promise.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(promise): \(verdict)")
    }

    @Test("keeps its contracts with row locks", arguments: StoreCatalog.all.filter { Self.locks.contains($0.id) })
    func keepsByRowLocks(_ promise: StoreContract) async {
        let verdict = await promise.check(on: PostgresStoreHarness(lock: .row))
        #expect(verdict == .kept, "\(promise): \(verdict)")
    }

    /// The differences with row locks.
    private static let locks = ["store.dead-holder", "store.waiting-has-deadline"]
}
