@_exported public import LockstepContracts
@_exported public import LockstepDirectory

/// A contract of directories.
public typealias DirectoryContract = Contract<DirectoryWorld>

/// The contracts of directories.
public enum DirectoryCatalog {
    /// All contracts of directories.
    public static let all: [DirectoryContract] = [
        pagesOnce, createdSignsIn, hashSignsIn, disabled, deleted, nothingDropped, refusalNamesUser, limitsWaited,
        batchInterrupted, ownAnswers, pagesEnd, timesKept, foundTogether, namesAreBytes,
    ]
}

extension DirectoryContract {
    /// Checks the contract in a new project.
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the project.
    ///   - mutant: A fault that the check should find; `nil` for none.
    /// - Returns: The result.
    public func check(on harness: any DirectoryHarness, mutant: DirectoryMutant? = nil) async -> Verdict {
        await judge(in: DirectoryWorld.Setting(harness: harness, mutation: mutant?.mutation ?? .none)).verdict
    }
}
