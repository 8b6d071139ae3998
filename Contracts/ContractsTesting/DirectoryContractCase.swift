@_exported public import LockstepDirectoryContracts
internal import LockstepTestConcurrency
public import Testing

/// One test case that checks a contract on a directory.
///
/// The name of the case contains the directory and the id of the contract. Use it like ``TransportContractCase``.
public struct DirectoryContractCase: Sendable, CustomTestStringConvertible {
    private let contract: DirectoryContract
    private let harness: any DirectoryHarness

    /// Returns a test case for every contract on a directory.
    ///
    /// - Parameter harness: The harness: the directory with its backend.
    public static func all(on harness: any DirectoryHarness) -> [DirectoryContractCase] {
        DirectoryCatalog.all.map { DirectoryContractCase(contract: $0, harness: harness) }
    }

    /// The name of the case, with the directory and the id of the contract.
    public var testDescription: String { "directory=\(harness.name) contract=\(contract.id)" }

    /// Checks the contract.
    ///
    /// If the contract is broken, the test records an issue at the line of the contract.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) async {
        contract.record(await LimitedConcurrency.turn { await contract.check(on: harness) }, sourceLocation: sourceLocation)
    }
}
