import LockstepClerkBench
import LockstepContracts
import LockstepContractsTesting
import Testing

@Suite("Clerk's adapter on the emulator")
struct ClerkContractTests {
    static let bench = ClerkBench()

    @Test("keeps its promises", arguments: ContractCase.all(on: bench))
    func keeps(_ promise: ContractCase) async { await promise.verify() }

    @Test("is really checked")
    func isChecked() async { await ContractCase.verifyThatSomethingIsChecked(on: Self.bench) }

    @Test("is seen through by the promise that a saboteur breaks", arguments: SaboteurCase.all(on: bench))
    func notices(_ saboteur: SaboteurCase) async { await saboteur.verify() }
}
