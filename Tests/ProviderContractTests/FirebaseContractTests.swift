import LockstepContracts
import LockstepContractsTesting
import LockstepFirebaseBench
import LockstepSaboteurs
import Testing

@Suite("Firebase's adapter on the emulator")
struct FirebaseContractTests {
    static let bench = FirebaseBench()

    @Test("keeps its promises", arguments: ContractCase.all(on: bench))
    func keeps(_ promise: ContractCase) async { await promise.verify() }

    @Test("is really checked")
    func isChecked() async { await ContractCase.verifyThatSomethingIsChecked(on: Self.bench) }

    @Test("is seen through by the promise that a saboteur breaks", arguments: Saboteurs.all)
    func notices(_ saboteur: Saboteur) async { await SaboteurCase(saboteur, on: Self.bench).verify() }
}
