import LockstepContractsTesting
import LockstepDirectoryContracts
import LockstepTestConcurrency
import Testing

/// The contracts of directories, on the directory of every provider, over real HTTP.
@Suite(.limitedConcurrency) struct DirectoryContractTests {
    static let goTrue = GoTrueDirectoryHarness()
    static let firebase = FirebaseDirectoryHarness(.account)
    static let firebaseOwner = FirebaseDirectoryHarness(.owner)
    static let clerk = ClerkDirectoryHarness()

    @Test(arguments: DirectoryContractCase.all(on: goTrue)) func goTrueKeeps(contract: DirectoryContractCase) async {
        await contract.verify()
    }

    @Test(arguments: DirectoryContractCase.all(on: firebase)) func firebaseKeeps(contract: DirectoryContractCase) async {
        await contract.verify()
    }

    @Test(arguments: DirectoryContractCase.all(on: firebaseOwner))
    func firebasesEmulatorKeepsForItsOwner(contract: DirectoryContractCase) async {
        await contract.verify()
    }

    @Test(arguments: DirectoryContractCase.all(on: clerk)) func clerkKeeps(contract: DirectoryContractCase) async {
        await contract.verify()
    }
}
