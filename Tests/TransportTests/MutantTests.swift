import LockstepContractsTesting
import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportMutantTests {
    @Test(arguments: TransportMutant.all) func breaksItsOwnContract(mutant: TransportMutant) async {
        for contract in TransportContract.all where contract.id == mutant.breaks {
            let verdict = await contract.check(mutant.harness(TransportContractTests.curl))
            #expect(verdict.isBroken, "one that \(mutant.summary) must break \(contract.id): \(verdict)")
        }
    }

    /// Cases: K05.
    @Test(.onlyWithMutants, arguments: TransportMutant.all) func breaksNoOtherPromise(mutant: TransportMutant) async {
        let others = TransportContract.all.filter { $0.id != mutant.breaks && !$0.buildsOn.contains(mutant.breaks) }
        for contract in others {
            let verdict = await contract.check(mutant.harness(TransportContractTests.curl))
            #expect(verdict.isKept, "one that \(mutant.summary) must keep \(contract.id): \(verdict)")
        }
    }

    @Test func everyContractHasItsMutant() {
        #expect(TransportMutant.all.map(\.breaks).sorted() == TransportContract.all.map(\.id).sorted())
        #expect(Set(TransportContract.all.map(\.id)).count == TransportContract.all.count)
    }
}
