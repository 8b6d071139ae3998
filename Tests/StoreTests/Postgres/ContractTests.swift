import LockstepContracts
import LockstepPostgresStore
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("The PostgreSQL store", .limitedConcurrency)
struct ContractTests {
    @Test("keeps its contracts", arguments: StoreCatalog.all)
    func keeps(_ contract: StoreContract) async {
        let verdict = await contract.check(on: PostgresStoreHarness())
        // The disk and the files belong to the server. Another test covers the store's handling of a full disk.
        let cannot = [
            "store.full-disk", "store.obstacles", "store.exposed", "store.vanished", "store.folder-kept", "store.folder-named",
        ].contains(contract.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(contract): \(verdict)")
    }

    @Test("keeps its contracts with row locks", arguments: StoreCatalog.all.filter { Self.locks.contains($0.id) })
    func keepsByRowLocks(_ contract: StoreContract) async {
        let verdict = await contract.check(on: PostgresStoreHarness(lock: .row))
        #expect(verdict == .kept, "\(contract): \(verdict)")
    }

    /// The differences with row locks.
    private static let locks = ["store.dead-holder", "store.waiting-has-deadline"]
}
