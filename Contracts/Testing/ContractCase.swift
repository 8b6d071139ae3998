@_exported public import LockstepContracts
internal import LockstepTestConcurrency
public import Testing

/// A promise on a harness, as one case of a parameterised test: named by harness and id, checked in every variant.
///
/// ```swift
/// @Test("acme keeps", arguments: ContractCase.all(on: AcmeHarness()))
/// func keeps(_ promise: ContractCase) async { await promise.verify() }
/// ```
public struct ContractCase: Sendable, CustomTestStringConvertible, CustomTestArgumentEncodable {
    let contract: Contract
    let harness: any Harness

    /// Every promise on a harness.
    ///
    /// None are left out: the check itself finds out which do not apply.
    public static func all(on harness: any Harness, contracts: [Contract] = Catalog.all) -> [ContractCase] {
        contracts.map { ContractCase(contract: $0, harness: harness) }
    }

    /// Every promise on several harnesses.
    public static func all(on harnesses: [any Harness], contracts: [Contract] = Catalog.all) -> [ContractCase] {
        harnesses.flatMap { all(on: $0, contracts: contracts) }
    }

    /// Harness and id.
    public var testDescription: String { "adapter=\(harness.name) contract=\(contract.id)" }

    /// The same, as the stable name of the case.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(testDescription)
    }

    /// Checks the promise in every variant; what is broken is recorded at the line of the promise, with the exchanges attached.
    ///
    /// - Parameter mustApply: records an issue, too, where the promise applies in no variant, or can be checked in none.
    public func verify(mustApply: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async {
        var reasons: [String] = []
        for variant in harness.variants {
            let outcome = await LimitedConcurrency.turn { await contract.check(on: harness, variant) }
            switch outcome.verdict {
            case .kept: reasons.append("kept")
            case .notApplicable(let reason), .notChecked(let reason):
                if mustApply { reasons.append("\(variant): \(reason)") }
            case .broken(let findings):
                reasons.append("broken")
                record(findings, outcome)
            }
        }
        if mustApply, !reasons.contains("kept"), !reasons.contains("broken") {
            Issue.record("\(contract.id) is not exercised: \(reasons.joined(separator: "; "))", sourceLocation: sourceLocation)
        }
    }

    private func record(_ findings: [Finding], _ outcome: Outcome) {
        for finding in findings {
            Issue.record(
                "\(outcome.harness) (\(outcome.variant)) breaks \(contract.id), “\(contract.promise)”: \(finding)",
                sourceLocation: contract.site.location)
        }
        if let transcript = outcome.transcript {
            Attachment.record(transcript, named: "\(outcome.harness)-\(outcome.variant)-\(contract.id).txt")
        }
    }

    /// Records an issue unless at least one promise is found to be kept in each variant: a run that checks nothing is no success.
    public static func verifyThatSomethingIsChecked(on harness: any Harness, sourceLocation: SourceLocation = #_sourceLocation)
        async
    {
        for variant in harness.variants {
            var isChecked = false
            for contract in Catalog.all where !isChecked {
                if case .kept = await contract.check(on: harness, variant).verdict { isChecked = true }
            }
            if !isChecked {
                Issue.record("no promise could be checked on \(harness.name) (\(variant))", sourceLocation: sourceLocation)
            }
        }
        if harness.variants.isEmpty { Issue.record("\(harness.name) has no variants", sourceLocation: sourceLocation) }
    }
}

extension SourceSite {
    /// The place as the test runner takes it.
    public var location: SourceLocation { SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column) }
}
