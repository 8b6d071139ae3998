import LockstepContracts
import LockstepContractsTesting
import LockstepInMemoryHarness
import Testing

@Suite("The adapter in memory")
struct InMemoryTests {
    /// Every contract applies in one of its variants, also contracts that apply to no provider.
    @Test("keeps its contracts", .contractCounts, arguments: ContractCase.all(on: InMemoryHarness()))
    func keeps(_ contract: ContractCase) async { await contract.verify(mustApply: true) }
}
