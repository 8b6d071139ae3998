internal import LockstepTestConcurrency
@_exported public import LockstepTransportContracts
public import Testing

/// One test case that checks a contract on a transport.
///
/// The name of the case contains the transport and the id of the contract.
///
/// ```swift
/// @Test("acme keeps", arguments: TransportContractCase.all(on: TransportHarness("acme") { settings in AcmeTransport(settings.issuers) }))
/// func keeps(_ contract: TransportContractCase) async { await contract.verify() }
/// ```
public struct TransportContractCase: Sendable, CustomTestStringConvertible {
    private let contract: TransportContract
    private let harness: TransportHarness

    /// Returns a test case for every contract on a transport.
    ///
    /// The list includes the contracts that the transport does not meet.
    public static func all(on harness: TransportHarness) -> [TransportContractCase] {
        TransportCatalog.all.map { TransportContractCase(contract: $0, harness: harness) }
    }

    /// The name of the case, with the transport and the id of the contract.
    public var testDescription: String { "transport=\(harness.name) contract=\(contract.id)" }

    /// Checks the contract.
    ///
    /// If the contract is broken, the test records an issue at the line of the contract. The test also records an issue if the
    /// contract was not checked and `TransportHarness.cannotPromise` does not list it.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) async {
        let verdict = await LimitedConcurrency.turn { await contract.check(on: harness) }
        if case .notChecked = verdict, harness.cannotPromise[contract.id] != nil { return }
        contract.record(verdict, sourceLocation: sourceLocation)
    }
}

extension Contract {
    /// Records an issue unless the contract is kept: at the line of each finding, or at the test.
    func record(_ verdict: Verdict, sourceLocation: SourceLocation) {
        switch verdict {
        case .kept: break
        case .broken(let findings):
            for finding in findings { Issue.record("\(id): \(finding.sentence)", sourceLocation: finding.site.location) }
        case .failed(let reason), .notChecked(let reason), .notApplicable(let reason):
            Issue.record("\(id) was not checked: \(reason)", sourceLocation: sourceLocation)
        }
    }
}
