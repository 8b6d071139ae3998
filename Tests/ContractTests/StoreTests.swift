import LockstepContracts
import LockstepContractsTesting
import LockstepMutants
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("Session stores")
struct StoreTests {
    @Test("the store in memory keeps its contracts", arguments: StoreCatalog.all)
    func memoryStoreKeepsItsContracts(_ contract: StoreContract) async {
        let verdict = await contract.check(on: MemoryStoreHarness())
        // A store in memory has no files, cannot be locked or damaged, and is not shared with another process.
        let cannot = [
            "store.unreadable-is-not-empty", "store.private", "store.whole-or-old", "store.two-processes", "store.dead-holder",
            "store.full-disk", "store.corrupt-kept", "store.old-versions", "store.owners-apart", "store.flipped-bits",
            "store.obstacles", "store.exposed", "store.vanished", "store.folder-kept", "store.folder-named",
        ].contains(contract.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(contract): \(verdict)")
    }

    /// Only a store of many users can keep or break this contract.
    private static let owned = "store.owners-apart"

    /// Only a store that opens its files again for each call can keep or break this contract.
    private static let ofFiles = "store.vanished"

    /// Contracts that need a mount are separate.
    ///
    /// A system that rejects mounts lists them as skipped, with the reason.
    private static let contracts: [StoreContract] = StoreCatalog.all.filter { $0.id != "store.full-disk" }
    private static let diskContracts: [StoreContract] = StoreCatalog.all.filter { $0.id == "store.full-disk" }

    @Test("the file store keeps its contracts", arguments: contracts)
    func fileStoreKeepsItsContracts(_ contract: StoreContract) async {
        let verdict = await contract.check(on: FileStoreHarness())
        if Self.owned == contract.id {
            #expect(verdict.name == "notChecked", "a folder is one user's: \(verdict)")
        } else {
            #expect(verdict == .kept, "\(contract): \(verdict)")
        }
    }

    @Test("the SQLite store keeps its contracts", arguments: contracts)
    func sqliteStoreKeepsItsContracts(_ contract: StoreContract) async {
        let verdict = await contract.check(on: SQLiteStoreHarness())
        if Self.ofFiles == contract.id {
            #expect(verdict.name == "notChecked", "a process goes on with the database that it has opened: \(verdict)")
        } else {
            #expect(verdict == .kept, "\(contract): \(verdict)")
        }
    }

    @Test("files and SQLite keep store.full-disk", .needsSmallDisk, arguments: diskContracts)
    func filesAndSQLiteKeepTheFullDiskContract(_ contract: StoreContract) async {
        for harness in [FileStoreHarness(), SQLiteStoreHarness()] as [any StoreHarness] {
            let verdict = await contract.check(on: harness)
            #expect(verdict == .kept, "\(contract): \(verdict)")
        }
    }

    /// Each mutant starts its own processes.
    ///
    /// A machine can run a few at a time.
    static let semaphore = AsyncSemaphore(width: 4)

    @Test("each mutant breaks its own contract", arguments: mutants)
    func breaks(_ mutant: StoreMutant) async throws {
        try await verify(mutant, on: mutant.breaks == Self.owned ? SQLiteStoreHarness() : FileStoreHarness())
    }

    @Test("the mutant of store.full-disk breaks it", .needsSmallDisk, arguments: diskMutants)
    func breaksOnADisk(_ mutant: StoreMutant) async throws { try await verify(mutant, on: FileStoreHarness()) }

    private static let mutants: [StoreMutant] = StoreMutants.all.filter { $0.breaks != "store.full-disk" }
    private static let diskMutants: [StoreMutant] = StoreMutants.all.filter { $0.breaks == "store.full-disk" }

    private func verify(_ mutant: StoreMutant, on harness: any StoreHarness) async throws {
        let contract = try #require(StoreCatalog.all.first { $0.id == mutant.breaks })
        let verdict = await Self.semaphore.pass { await contract.check(on: harness, mutation: mutant.mutation) }
        #expect(verdict.name == "broken", "\(mutant): \(verdict)")
    }

    @Test("each mutant is noticed on SQLite", arguments: mutants.filter { $0.breaks != ofFiles })
    func isFound(_ mutant: StoreMutant) async throws { try await verify(mutant, on: SQLiteStoreHarness()) }

    @Test("the mutant of store.full-disk is noticed on SQLite", .needsSmallDisk, arguments: diskMutants)
    func isFoundOnADisk(_ mutant: StoreMutant) async throws { try await verify(mutant, on: SQLiteStoreHarness()) }
}

extension Trait where Self == ConditionTrait {
    /// Runs only if a small disk can be mounted.
    ///
    /// Otherwise the run lists the test as skipped.
    fileprivate static var needsSmallDisk: Self {
        .enabled("not checked: this system does not allow this user to mount a small disk (unshare -m, mount -t tmpfs)") {
            try await SmallDisk.isAllowed
        }
    }
}
