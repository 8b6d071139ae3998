import LockstepContracts
import LockstepContractsTesting
import LockstepHarnesses
import LockstepTestConcurrency
import Testing

@Suite("Clerk's adapter on the emulator")
struct ClerkContractTests {
    static let harness = ClerkHarness()

    @Test("keeps its contracts", .contractCounts, arguments: ContractCase.all(on: harness, variants: .inThisRun))
    func keeps(_ contract: ContractCase) async { await contract.verify() }

    @Test("the contract that a mutant breaks notices it", .audit, arguments: MutantCase.all(on: harness))
    func notices(_ mutant: MutantCase) async { await mutant.verify() }
}
