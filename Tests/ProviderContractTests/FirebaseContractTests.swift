import LockstepContracts
import LockstepContractsTesting
import LockstepHarnesses
import LockstepTestConcurrency
import Testing

@Suite("Firebase's adapter on the emulator")
struct FirebaseContractTests {
    static let harness = FirebaseHarness()

    @Test("keeps its contracts", .contractCounts, arguments: ContractCase.all(on: harness, variants: .inThisRun))
    func keeps(_ contract: ContractCase) async { await contract.verify() }

    @Test("the contract that a mutant breaks notices it", .audit, arguments: MutantCase.all(on: harness))
    func notices(_ mutant: MutantCase) async { await mutant.verify() }
}
