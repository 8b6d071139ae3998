import LockstepContracts
import LockstepSaboteurs
import LockstepStoreBenches
import LockstepTestConcurrency
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
            "store.obstacles", "store.exposed", "store.vanished",
        ].contains(promise.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(promise): \(verdict)")
    }

    /// What only a store of many users can keep or break.
    private static let owned = "store.owners-apart"

    /// What only a store that opens its files again and again can keep or break.
    private static let ofFiles = "store.vanished"

    /// What takes a mount is apart, so that a system that refuses mounts has it listed as skipped, with the reason.
    private static let promises: [StoreContract] = StoreCatalog.all.filter { $0.id != "store.full-disk" }
    private static let diskPromises: [StoreContract] = StoreCatalog.all.filter { $0.id == "store.full-disk" }

    @Test("files keep", arguments: promises)
    func files(_ promise: StoreContract) async {
        let verdict = await promise.check(on: FileStoreBench())
        if Self.owned == promise.id {
            #expect(verdict.name == "notChecked", "a folder is one user's: \(verdict)")
        } else {
            #expect(verdict == .kept, "\(promise): \(verdict)")
        }
    }

    @Test("SQLite keeps", arguments: promises)
    func sqlite(_ promise: StoreContract) async {
        let verdict = await promise.check(on: SQLiteStoreBench())
        if Self.ofFiles == promise.id {
            #expect(verdict.name == "notChecked", "a process goes on with the database that it has opened: \(verdict)")
        } else {
            #expect(verdict == .kept, "\(promise): \(verdict)")
        }
    }

    @Test("files and SQLite keep store.full-disk", .needsSmallDisk, arguments: diskPromises)
    func fullDisk(_ promise: StoreContract) async {
        for bench in [FileStoreBench(), SQLiteStoreBench()] as [any StoreBench] {
            let verdict = await promise.check(on: bench)
            #expect(verdict == .kept, "\(promise): \(verdict)")
        }
    }

    /// Each saboteur has processes of its own: a few at a time are enough for a machine.
    static let turnstile = Turnstile(width: 4)

    /// Where luck has a part, the own promise gets the whole effort and the others a glance: a deed that broke one of them too
    /// would show soon, since nothing but the deed does it.
    ///
    /// Cases: K05.
    @Test("each saboteur breaks its own promise, and none that does not build on it", arguments: saboteurs)
    func breaks(_ saboteur: StoreSaboteur) async { await inspect(saboteur) }

    @Test("the saboteur of store.full-disk breaks it, and no other", .needsSmallDisk, arguments: diskSaboteurs)
    func breaksOnADisk(_ saboteur: StoreSaboteur) async { await inspect(saboteur) }

    private static let saboteurs: [StoreSaboteur] = StoreSaboteur.all.filter { $0.breaks != "store.full-disk" }
    private static let diskSaboteurs: [StoreSaboteur] = StoreSaboteur.all.filter { $0.breaks == "store.full-disk" }

    private func inspect(_ saboteur: StoreSaboteur) async {
        await Self.turnstile.pass {
            for promise in StoreCatalog.all {
                let isOwn = promise.id == saboteur.breaks
                let bench: any StoreBench = saboteur.breaks == Self.owned ? SQLiteStoreBench() : FileStoreBench()
                let verdict = await promise.check(
                    on: bench, sabotage: saboteur.sabotage, effort: isOwn ? .short : .glance)
                #expect((verdict.name == "broken") == isOwn, "\(saboteur): \(promise) is \(verdict)")
            }
        }
    }

    @Test("each saboteur is found on SQLite too", arguments: saboteurs.filter { $0.breaks != ofFiles })
    func isFound(_ saboteur: StoreSaboteur) async throws { try await find(saboteur) }

    @Test("the saboteur of store.full-disk is found on SQLite too", .needsSmallDisk, arguments: diskSaboteurs)
    func isFoundOnADisk(_ saboteur: StoreSaboteur) async throws { try await find(saboteur) }

    private func find(_ saboteur: StoreSaboteur) async throws {
        let promise = try #require(StoreCatalog.all.first { $0.id == saboteur.breaks })
        let verdict = await Self.turnstile.pass { await promise.check(on: SQLiteStoreBench(), sabotage: saboteur.sabotage) }
        #expect(verdict.name == "broken", "\(saboteur): \(verdict)")
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs where a small disk can be mounted; elsewhere the run lists the test as skipped.
    fileprivate static var needsSmallDisk: Self {
        .enabled("not checked: this system does not let this user mount a small disk (unshare -m, mount -t tmpfs)") {
            try await SmallDisk.isAllowed
        }
    }
}
