import LockstepTestConcurrency
import LockstepTransportContracts
import Testing

@Suite(.limitedConcurrency) struct TransportSaboteurTests {
    /// Cases: K05.
    @Test(arguments: TransportSaboteur.all) func breaksItsOwnPromiseAndNoOther(saboteur: TransportSaboteur) async {
        let bench = saboteur.bench(TransportContractTests.curl)
        for contract in TransportContract.all where !contract.buildsOn.contains(saboteur.breaks) {
            let verdict = await contract.check(bench)
            if contract.id == saboteur.breaks {
                #expect(verdict.isBroken, "one that \(saboteur.deed) must break \(contract.id): \(verdict)")
            } else {
                #expect(verdict.isKept, "one that \(saboteur.deed) must keep \(contract.id): \(verdict)")
            }
        }
    }

    @Test func everyPromiseHasItsSaboteur() {
        #expect(TransportSaboteur.all.map(\.breaks).sorted() == TransportContract.all.map(\.id).sorted())
        #expect(Set(TransportContract.all.map(\.id)).count == TransportContract.all.count)
    }
}
