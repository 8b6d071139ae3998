@_exported public import LockstepDirectoryContracts
internal import LockstepTestConcurrency
public import Testing

/// A contract on a directory as a case of a parameterized test, named by directory and id.
///
/// Use it in the same way as ``TransportContractCase``.
public struct DirectoryContractCase: Sendable, CustomTestStringConvertible {
    private let contract: DirectoryContract
    private let harness: any DirectoryHarness

    /// Returns a case for every contract on a directory.
    public static func all(on harness: any DirectoryHarness) -> [DirectoryContractCase] {
        DirectoryContract.all.map { DirectoryContractCase(contract: $0, harness: harness) }
    }

    /// The directory and the id.
    public var testDescription: String { "directory=\(harness.name) contract=\(contract.id)" }

    /// Checks the contract.
    ///
    /// Each failure is recorded at the line of the contract.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) async {
        switch await LimitedConcurrency.turn({ await contract.check(on: harness) }) {
        case .kept: break
        case .failed(let reason): Issue.record("\(contract.id) was not checked: \(reason)", sourceLocation: sourceLocation)
        case .broken(let findings):
            for finding in findings {
                let place = SourceLocation(
                    fileID: finding.fileID, filePath: finding.filePath, line: finding.line, column: finding.column)
                Issue.record("\(contract.id): \(finding.message)", sourceLocation: place)
            }
        }
    }
}
