import LockstepContractsTesting
import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportMutantTests {
    /// Cases: K05.
    @Test(arguments: TransportMutant.all) func breaksItsOwnContract(mutant: TransportMutant) async {
        for contract in TransportContract.all where contract.id == mutant.breaks {
            let verdict = await contract.check(mutant.harness(TransportContractTests.curl))
            #expect(verdict.isBroken, "one that \(mutant.summary) must break \(contract.id): \(verdict)")
        }
    }

    @Test func everyContractHasItsMutant() {
        #expect(TransportMutant.all.map(\.breaks).sorted() == TransportContract.all.map(\.id).sorted())
        #expect(Set(TransportContract.all.map(\.id)).count == TransportContract.all.count)
    }
}
