import LockstepDirectoryContracts
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite(.limitedConcurrency) struct DirectoryMutantTests {
    @Test(arguments: DirectoryMutants.all) func breaksItsOwnContract(mutant: DirectoryMutant) async throws {
        let contract = try #require(DirectoryCatalog.all.first { $0.id == mutant.breaks })
        let harnesses: [any DirectoryHarness] = [
            DirectoryContractTests.goTrue, DirectoryContractTests.firebase, DirectoryContractTests.clerk,
        ]
        for harness in harnesses where try await gives(mutant.mutation.needs, harness) {
            let verdict = await contract.check(on: harness, mutant: mutant)
            #expect(verdict.isBroken, "\(harness.name): one that \(mutant) must break \(contract): \(verdict)")
        }
    }

    /// The test drops each value of a new user separately, on each directory.
    @Test(arguments: DirectoryMutants.forgetful) func everyDroppedValueIsNoticed(mutant: DirectoryMutant) async throws {
        let harnesses: [any DirectoryHarness] = [
            DirectoryContractTests.goTrue, DirectoryContractTests.firebase, DirectoryContractTests.clerk, GoTrueDatabaseHarness(),
        ]
        let contract = try #require(DirectoryCatalog.all.first { $0.id == mutant.breaks })
        // A Firebase guest is a user without any values, with or without the mark.
        for harness in harnesses where !(mutant.mutation.forgets == .anonymousUsers && harness.name.hasPrefix("firebase")) {
            let verdict = await contract.check(on: harness, mutant: mutant)
            #expect(verdict.isBroken, "\(harness.name): one that \(mutant) must break \(contract): \(verdict)")
        }
    }

    private func gives(_ feature: DirectoryFeature?, _ harness: any DirectoryHarness) async throws -> Bool {
        guard let feature else { return true }
        return try await harness.withProject { try $0.directory(clock: FixedClock()).features.contains(feature) }
    }

    @Test func everyContractHasItsMutant() {
        #expect(DirectoryMutants.all.map(\.breaks).sorted() == DirectoryCatalog.all.map(\.id).sorted())
        #expect(Set(DirectoryCatalog.all.map(\.id)).count == DirectoryCatalog.all.count)
    }
}
