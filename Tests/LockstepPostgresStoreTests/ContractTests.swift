import LockstepContracts
import LockstepPostgresStore
import Testing

@Suite("The PostgreSQL store")
struct ContractTests {
    /// With row locks only what has to do with sections is another thing.
    @Test("keeps", arguments: StoreCatalog.all)
    func keeps(_ promise: StoreContract) async {
        await check(promise, .automatic)
    }

    @Test(
        "keeps by row locks",
        arguments: StoreCatalog.all.filter { ["store.dead-holder", "store.waiting-has-deadline"].contains($0.id) })
    func keepsByRowLocks(_ promise: StoreContract) async {
        await check(promise, .row)
    }

    private func check(_ promise: StoreContract, _ lock: PostgresSessionSettings.SectionLock) async {
        let verdict = await promise.check(on: PostgresStoreBench(lock: lock))
        #expect(verdict == .kept, "\(promise): \(verdict)")
    }
}
