import LockstepContracts
import LockstepContractsTesting
import LockstepInMemoryHarness
import LockstepMutants
import LockstepTestConcurrency
import Testing

@Suite("Mutants")
struct MutantTests {
    @Test("every contract has at least one mutant, and no mutant is left over")
    func everyContractHasAMutant() {
        #expect(Set(Mutants.all.map(\.breaks)).sorted() == Catalog.all.map(\.id).sorted())
        #expect(StoreMutant.all.map(\.breaks).sorted() == StoreCatalog.all.map(\.id).sorted())
    }

    /// The variant that a mutant changes: the first one in which its contract applies and shows the difference.
    private static let places = Task {
        await withTaskGroup(of: (Int, Variant?).self) { group in
            for (number, mutant) in Mutants.all.enumerated() {
                group.addTask { (number, await LimitedConcurrency.turn { await firstVariant(showing: mutant) }) }
            }
            return await group.reduce(into: [Int: Variant]()) { $0[$1.0] = $1.1 }
        }
    }

    private static func firstVariant(showing mutant: Mutant) async -> Variant? {
        let harness = InMemoryHarness()
        for variant in harness.variants {
            let outcome = await Catalog[mutant.breaks]?.check(on: harness, variant, mutation: mutant.mutation)
            if case .broken = outcome?.verdict { return variant }
        }
        return nil
    }

    @Test("each mutant breaks its own contract", arguments: Mutants.all.indices)
    func breaks(_ number: Int) async {
        let place = await Self.places.value[number]
        #expect(place != nil, "no check notices: \(Mutants.all[number])")
    }

    /// An adapter that lists nothing breaks the contracts about lists, and the run continues.
    @Test(
        "an adapter that lists nothing is noticed and ends no run",
        arguments: [
            "account.factor.backup-codes", "account.factor.several", "account.organizations.active",
            "account.organizations.during-refresh", "account.passkeys.managed",
        ])
    func emptyListIsNoticedAndEndsNoRun(_ id: Contract.ID) async throws {
        let (promise, harness) = (try #require(Catalog[id]), InMemoryHarness())
        var isBroken = false
        for variant in harness.variants where !isBroken {
            // Regardless of the contracts that it builds on.
            let stated = await promise.expectations(on: harness, variant, mutation: SystematicMutants.emptyLists.mutation)
            isBroken = !stated.broken.isEmpty
        }
        #expect(isBroken, "\(id) is kept")
    }

    /// A mutant breaks the other contracts that it names.
    @Test(
        "each mutant breaks the other contracts that it names",
        arguments: Mutants.all.indices.filter { !Mutants.all[$0].alsoBreaks.isEmpty })
    func breaksTheOtherContractsThatItNames(_ number: Int) async throws {
        let (mutant, harness) = (Mutants.all[number], InMemoryHarness())
        for id in mutant.alsoBreaks.sorted() {
            let promise = try #require(Catalog[id], "\(mutant) names \(id), which is no promise")
            var isBroken = false
            for variant in harness.variants where !isBroken {
                let verdict = await promise.check(on: harness, variant, mutation: mutant.mutation).verdict
                if case .broken = verdict { isBroken = true }
            }
            #expect(isBroken, "\(mutant) keeps \(id)")
        }
    }

    /// A mutant does not break a contract that is independent of the broken one.
    ///
    /// Every pair would be 150,000 checks. The test leaves out mutants of calls that the check does not make (`MutantSurvey`).
    /// The others, of different themes, run together, and one by one if the contract breaks or cannot be judged. With
    /// `LOCKSTEP_MUTANTS=1` each runs alone from the start.
    ///
    /// Cases: K05.
    @Test("no mutant breaks a contract that is independent of its own", .onlyWithMutants, arguments: Catalog.all)
    func isKept(_ promise: Contract) async {
        let harness = InMemoryHarness()
        let grounds = Set(promise.grounds.map(\.id) + [promise.id])
        let places = await Self.places.value
        for variant in harness.variants {
            let present = Mutants.all.indices.filter { places[$0]?.name == variant.name }.map { Mutants.all[$0] }
            let others = present.filter { !grounds.contains($0.breaks) && !$0.alsoBreaks.contains(promise.id) }
            await LimitedConcurrency.turn {
                let survey = MutantSurvey(of: others)
                let verdict = await promise.check(on: harness, variant, mutation: survey.mutation).verdict
                switch verdict {
                case .broken, .failed: Issue.record("\(promise) is \(verdict) without a mutant (\(variant))")
                case .kept, .notApplicable, .notChecked:
                    await verify(promise, beside: Self.groups(of: survey.relevant), on: harness, variant)
                }
            }
        }
    }

    /// The survey must not leave out a mutant that the check notices.
    ///
    /// Otherwise the run would be blind to mutants of that call.
    @Test("no mutant is left out of a check that notices it", .onlyWithMutants, arguments: Catalog.all)
    func isRelevant(_ promise: Contract) async {
        let places = await Self.places.value
        let own = Mutants.all.indices.filter { Mutants.all[$0].breaks == promise.id }
        for variant in InMemoryHarness().variants {
            let noticed = own.filter { places[$0]?.name == variant.name }.map { Mutants.all[$0] }
            guard !noticed.isEmpty else { continue }
            let survey = MutantSurvey(of: noticed)
            _ = await LimitedConcurrency.turn {
                await promise.check(on: InMemoryHarness(), variant, mutation: survey.mutation)
            }
            #expect(survey.relevant.map(\.summary) == noticed.map(\.summary), "\(variant)")
        }
    }

    /// Several groups run at the same time.
    ///
    /// If a mutant waits forever, its check lasts until its limit, and otherwise nothing else would run.
    private func verify(_ promise: Contract, beside groups: [[Mutant]], on harness: InMemoryHarness, _ variant: Variant) async {
        await withTaskGroup(of: Void.self) { tasks in
            var rest = groups[...]
            func begin() {
                guard let group = rest.popFirst() else { return }
                tasks.addTask { await verify(promise, beside: group, on: harness, variant) }
            }
            for _ in 0..<8 { begin() }
            while await tasks.next() != nil { begin() }
        }
    }

    /// The largest number of mutants that run together.
    private static let groupSize = MutantRuns.groupSize ?? 8

    /// Groups whose members are far apart in the list, which is ordered by theme.
    private static func groups(of mutants: [Mutant]) -> [[Mutant]] {
        let count = (mutants.count + groupSize - 1) / groupSize
        return (0..<count).map { first in stride(from: first, to: mutants.count, by: count).map { mutants[$0] } }
    }

    private func verify(_ promise: Contract, beside group: [Mutant], on harness: InMemoryHarness, _ variant: Variant) async {
        let verdict = await promise.check(on: harness, variant, mutation: .all(group.map(\.mutation)), limit: .seconds(90))
            .verdict
        switch verdict {
        case .kept, .notApplicable: return
        case .notChecked where group.count == 1: return
        case .broken(let findings) where group.count == 1:
            Issue.record("\(group[0]) also breaks \(promise) (\(variant)): \(findings)")
        case .failed(let reason) where group.count == 1:
            Issue.record("\(group[0]) keeps \(promise) (\(variant)) from being checked: \(reason)")
        case .broken, .notChecked, .failed:
            for mutant in group { await verify(promise, beside: [mutant], on: harness, variant) }
        }
    }
}
