import LockstepContracts
import LockstepContractsTesting
import LockstepInMemoryBench
import Testing

@Suite("The adapter without a wire")
struct InMemoryTests {
    @Test("keeps its promises", arguments: ContractCase.all(on: InMemoryBench()))
    func keeps(_ promise: ContractCase) async { await promise.verify() }

    @Test("is really checked")
    func isChecked() async { await ContractCase.verifyThatSomethingIsChecked(on: InMemoryBench()) }

    @Test("gives every promise a variant that owes it", arguments: ContractCase.all(on: InMemoryBench()))
    func owes(_ promise: ContractCase) async { await promise.verifyThatItIsOwed() }
}
