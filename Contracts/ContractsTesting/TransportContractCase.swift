internal import LockstepTestConcurrency
@_exported public import LockstepTransportContracts
public import Testing

/// A contract on a transport as a case of a parameterized test, named by transport and id.
///
/// ```swift
/// @Test("acme keeps", arguments: TransportContractCase.all(on: TransportHarness("acme") { settings in AcmeTransport(settings.issuers) }))
/// func keeps(_ promise: TransportContractCase) async { await promise.verify() }
/// ```
public struct TransportContractCase: Sendable, CustomTestStringConvertible {
    private let contract: TransportContract
    private let harness: TransportHarness

    /// Returns a case for every contract on a transport, including those that it declares it cannot keep.
    public static func all(on harness: TransportHarness) -> [TransportContractCase] {
        TransportContract.all.map { TransportContractCase(contract: $0, harness: harness) }
    }

    /// The transport and the id.
    public var testDescription: String { "transport=\(harness.name) contract=\(contract.id)" }

    /// Checks the contract.
    ///
    /// Each failure is recorded at the line of the contract.
    ///
    /// An unchecked contract is recorded, too, unless the harness declares that the transport does not keep it.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) async {
        switch await LimitedConcurrency.turn({ await contract.check(harness) }) {
        case .kept: break
        case .notChecked(let reason):
            if harness.cannotPromise[contract.id] == nil {
                Issue.record("\(contract.id) was not checked: \(reason)", sourceLocation: sourceLocation)
            }
        case .broken(let findings):
            for finding in findings {
                Issue.record("\(contract.id): \(finding.message)", sourceLocation: SourceLocation(finding.location))
            }
        }
    }
}

extension SourceLocation {
    fileprivate init(_ location: TransportFinding.Location) {
        self.init(fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
    }
}
