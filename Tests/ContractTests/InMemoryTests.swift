import LockstepContracts
import LockstepContractsTesting
import LockstepInMemoryHarness
import Testing

@Suite("The adapter without a wire")
struct InMemoryTests {
    /// Every promise is owed in one of its variants, also those that no provider makes.
    @Test("keeps its promises", arguments: ContractCase.all(on: InMemoryHarness()))
    func keeps(_ promise: ContractCase) async { await promise.verify(mustApply: true) }
}
