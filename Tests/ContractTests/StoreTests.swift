import Foundation
import LockstepContracts
import LockstepContractsTesting
import LockstepSaboteurs
import LockstepStoreBenches
import Testing

@Suite("Session stores")
struct StoreTests {
    @Test("memory keeps", arguments: StoreCatalog.all)
    func memory(_ promise: StoreContract) async {
        let verdict = await promise.check(on: MemoryStoreBench())
        // A store that ends with the process has no files, cannot be locked or damaged, and no other process reaches it.
        let cannot = [
            "store.unreadable-is-not-empty", "store.private", "store.whole-or-old", "store.two-processes", "store.dead-holder",
            "store.full-disk", "store.corrupt-kept", "store.old-versions", "store.owners-apart", "store.flipped-bits",
            "store.obstacles", "store.exposed",
        ].contains(promise.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(promise): \(verdict)")
    }

    /// What only a store of many users can keep or break.
    private static let owned = "store.owners-apart"

    /// A full disk takes a mount of one's own, which not every system lets an ordinary user make.
    private func isExcused(_ promise: StoreContract, _ verdict: Verdict) -> Bool {
        guard promise.id == "store.full-disk", case .notChecked = verdict else { return false }
        return NSUserName() != "root"
    }

    @Test("files keep", arguments: StoreCatalog.all)
    func files(_ promise: StoreContract) async {
        let verdict = await promise.check(on: FileStoreBench())
        if Self.owned == promise.id {
            #expect(verdict.name == "notChecked", "a folder is one user's: \(verdict)")
        } else {
            #expect(verdict == .kept || isExcused(promise, verdict), "\(promise): \(verdict)")
        }
    }

    @Test("SQLite keeps", arguments: StoreCatalog.all)
    func sqlite(_ promise: StoreContract) async {
        let verdict = await promise.check(on: SQLiteStoreBench())
        #expect(verdict == .kept || isExcused(promise, verdict), "\(promise): \(verdict)")
    }

    /// Each saboteur has processes of its own: a few at a time are enough for a machine.
    static let turnstile = Turnstile(width: 4)

    /// Where luck has a part, the own promise gets the whole effort and the others a glance: a deed that broke one of them too
    /// would show soon, since nothing but the deed does it.
    @Test("each saboteur breaks its own promise, and none that does not build on it", arguments: StoreSaboteur.all)
    func breaks(_ saboteur: StoreSaboteur) async {
        await Self.turnstile.pass {
            for promise in StoreCatalog.all {
                let isOwn = promise.id == saboteur.breaks
                let bench: any StoreBench = saboteur.breaks == Self.owned ? SQLiteStoreBench() : FileStoreBench()
                let verdict = await promise.check(
                    on: bench, sabotage: saboteur.sabotage, effort: isOwn ? .short : .glance)
                #expect(
                    (verdict.name == "broken") == isOwn || isExcused(promise, verdict), "\(saboteur): \(promise) is \(verdict)")
            }
        }
    }

    @Test("each saboteur is found on SQLite too", arguments: StoreSaboteur.all)
    func isFound(_ saboteur: StoreSaboteur) async throws {
        let promise = try #require(StoreCatalog.all.first { $0.id == saboteur.breaks })
        let verdict = await Self.turnstile.pass { await promise.check(on: SQLiteStoreBench(), sabotage: saboteur.sabotage) }
        #expect(verdict.name == "broken" || isExcused(promise, verdict), "\(saboteur): \(verdict)")
    }
}
