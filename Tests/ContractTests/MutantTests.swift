import Lockstep
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
        #expect(StoreMutants.all.map(\.breaks).sorted() == StoreCatalog.all.map(\.id).sorted())
    }

    @Test("each mutant breaks its own contract", arguments: Mutants.all)
    func breaks(_ mutant: Mutant<World>) async throws {
        let (contract, harness) = (try #require(Catalog[mutant.breaks]), InMemoryHarness())
        for variant in harness.variants {
            let outcome = await LimitedConcurrency.turn { await contract.check(on: harness, variant, mutation: mutant.mutation) }
            if case .broken = outcome.verdict { return }
        }
        Issue.record("no check notices: \(mutant)")
    }

    /// An adapter that lists nothing breaks the contracts about lists, and the run continues.
    @Test(
        "an adapter that lists nothing is noticed and ends no run",
        arguments: [
            "account.factor.backup-codes", "account.factor.several", "account.organizations.active",
            "account.organizations.during-refresh", "account.passkeys.managed",
        ])
    func emptyListIsNoticedAndEndsNoRun(_ id: String) async throws {
        let (contract, harness) = (try #require(Catalog[id]), InMemoryHarness())
        let nothing = Mutation(client: { client, _ in
            var faulty = FaultyClient(client)
            faulty.onFactors = { _ throws(AuthError) in [] }
            faulty.onPasskeys = { _ throws(AuthError) in [] }
            faulty.onOrganizations = { _ throws(AuthError) in [] }
            faulty.onRenewBackupCodes = { _ throws(AuthError) in [] }
            return faulty
        })
        var isBroken = false
        for variant in harness.variants where !isBroken {
            // Regardless of the contracts that it builds on.
            let stated = await contract.expectations(on: harness, variant, mutation: nothing)
            isBroken = !stated.broken.isEmpty
        }
        #expect(isBroken, "\(id) is kept")
    }
}
