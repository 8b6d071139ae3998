import LockstepDirectoryContracts
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency) struct DirectoryMutantTests {
    /// Cases: K05.
    @Test(arguments: DirectoryMutant.all) func breaksItsOwnPromiseAndNoOther(mutant: DirectoryMutant) async {
        let harnesses: [any DirectoryHarness] = [
            DirectoryContractTests.goTrue, DirectoryContractTests.firebase, DirectoryContractTests.clerk,
        ]
        for harness in harnesses {
            for contract in DirectoryContract.all where !contract.buildsOn.contains(mutant.breaks) {
                let verdict = await contract.check(on: harness, mutant: mutant)
                if contract.id == mutant.breaks {
                    #expect(verdict.isBroken, "\(harness.name): one that \(mutant) must break \(contract): \(verdict)")
                } else {
                    #expect(verdict.isKept, "\(harness.name): one that \(mutant) must keep \(contract): \(verdict)")
                }
            }
        }
    }

    @Test func everyPromiseHasItsMutant() {
        #expect(DirectoryMutant.all.map(\.breaks).sorted() == DirectoryContract.all.map(\.id).sorted())
        #expect(Set(DirectoryContract.all.map(\.id)).count == DirectoryContract.all.count)
    }
}
