import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportMutantTests {
    /// Cases: K05.
    @Test(arguments: TransportMutant.all) func breaksItsOwnPromiseAndNoOther(mutant: TransportMutant) async {
        let bench = mutant.bench(TransportContractTests.curl)
        for contract in TransportContract.all where !contract.buildsOn.contains(mutant.breaks) {
            let verdict = await contract.check(bench)
            if contract.id == mutant.breaks {
                #expect(verdict.isBroken, "one that \(mutant.deed) must break \(contract.id): \(verdict)")
            } else {
                #expect(verdict.isKept, "one that \(mutant.deed) must keep \(contract.id): \(verdict)")
            }
        }
    }

    @Test func everyPromiseHasItsMutant() {
        #expect(TransportMutant.all.map(\.breaks).sorted() == TransportContract.all.map(\.id).sorted())
        #expect(Set(TransportContract.all.map(\.id)).count == TransportContract.all.count)
    }
}
