import LockstepContracts
import LockstepContractsTesting
import LockstepFirebaseBench
import Testing

@Suite("Firebase")
struct FirebaseTests {
    @Test("keeps its promises", arguments: ContractCase.all(on: FirebaseBench()))
    func keeps(_ promise: ContractCase) async { await promise.verify() }

    @Test("is really checked")
    func isChecked() async { await ContractCase.verifyThatSomethingIsChecked(on: FirebaseBench()) }
}
