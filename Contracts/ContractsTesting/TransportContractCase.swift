internal import LockstepTestConcurrency
@_exported public import LockstepTransportContracts
public import Testing

/// A promise on a transport, as one case of a parameterised test: named by transport and id.
///
/// ```swift
/// @Test("acme keeps", arguments: TransportContractCase.all(on: TransportHarness("acme") { settings in AcmeTransport(settings.issuers) }))
/// func keeps(_ promise: TransportContractCase) async { await promise.verify() }
/// ```
public struct TransportContractCase: Sendable, CustomTestStringConvertible {
    private let contract: TransportContract
    private let harness: TransportHarness

    /// Every promise on a transport, those that it declares it cannot make too.
    public static func all(on harness: TransportHarness) -> [TransportContractCase] {
        TransportContract.all.map { TransportContractCase(contract: $0, harness: harness) }
    }

    /// Transport and id.
    public var testDescription: String { "transport=\(harness.name) contract=\(contract.id)" }

    /// Checks the promise; what is broken is recorded at the line of the promise.
    ///
    /// What could not be checked is recorded too, unless the harness declares that the promise is not made.
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
