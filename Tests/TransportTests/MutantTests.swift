import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportMutantTests {
    /// Cases: K05.
    @Test(arguments: TransportMutant.all) func breaksItsOwnPromiseAndNoOther(mutant: TransportMutant) async {
        let harness = mutant.harness(TransportContractTests.curl)
        for contract in TransportContract.all where !contract.buildsOn.contains(mutant.breaks) {
            let verdict = await contract.check(harness)
            if contract.id == mutant.breaks {
                #expect(verdict.isBroken, "one that \(mutant.summary) must break \(contract.id): \(verdict)")
            } else {
                #expect(verdict.isKept, "one that \(mutant.summary) must keep \(contract.id): \(verdict)")
            }
        }
    }

    @Test func everyPromiseHasItsMutant() {
        #expect(TransportMutant.all.map(\.breaks).sorted() == TransportContract.all.map(\.id).sorted())
        #expect(Set(TransportContract.all.map(\.id)).count == TransportContract.all.count)
    }
}
