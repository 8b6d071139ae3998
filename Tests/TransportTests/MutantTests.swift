import LockstepContractsTesting
import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportMutantTests {
    @Test(arguments: TransportMutants.all) func breaksItsOwnContract(mutant: TransportMutant) async {
        for contract in TransportCatalog.all where contract.id == mutant.breaks {
            let verdict = await contract.check(on: mutant.mutation(TransportContractTests.curl))
            #expect(verdict.isBroken, "one that \(mutant.summary) must break \(contract.id): \(verdict)")
        }
    }

    @Test func everyContractHasItsMutant() {
        #expect(TransportMutants.all.map(\.breaks).sorted() == TransportCatalog.all.map(\.id).sorted())
        #expect(Set(TransportCatalog.all.map(\.id)).count == TransportCatalog.all.count)
    }
}
