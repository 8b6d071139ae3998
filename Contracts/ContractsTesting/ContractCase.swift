@_exported public import LockstepContracts
internal import LockstepTestConcurrency
public import Testing

/// One test case that checks a contract on a harness.
///
/// The name of the case contains the harness and the id of the contract.
///
/// ```swift
/// @Test("acme keeps", .contractCounts, arguments: ContractCase.all(on: AcmeHarness()))
/// func keeps(_ contract: ContractCase) async { await contract.verify() }
/// ```
public struct ContractCase: Sendable, CustomTestStringConvertible, CustomTestArgumentEncodable {
    private enum Subject: Sendable {
        case contract(Contract<World>, any Harness)
        /// A case in place of an empty list. It fails, because a parameterized test without cases would pass.
        case nothing(String)
    }

    /// The variants of a harness for which a test checks the contract.
    public enum Variants: Sendable {
        /// Every variant.
        case all
        /// Only the first variant, which is the default.
        case first
        /// All variants except the first one.
        case others
    }

    private let subject: Subject
    private let variants: Variants

    /// Returns a test case for every contract on a harness.
    ///
    /// The list includes every contract. Each case finds out whether its contract applies to the adapter.
    ///
    /// - Parameters:
    ///   - harness: The harness: the adapter with its backend.
    ///   - contracts: The contracts to check. Default: all.
    ///   - variants: The variants for the checks. Default: all. A short test run uses the first variant, and a long run uses the
    ///     other variants.
    public static func all(
        on harness: any Harness, contracts: [Contract<World>] = Catalog.all, variants: Variants = .all
    ) -> [ContractCase] {
        all(on: [harness], contracts: contracts, variants: variants)
    }

    /// Returns a test case for every contract on each of several harnesses.
    ///
    /// If there are no harnesses, the function returns one case that fails.
    ///
    /// - Parameters:
    ///   - contracts: The contracts to check. Default: all.
    ///   - variants: The variants for the checks. Default: all.
    public static func all(
        on harnesses: [any Harness], contracts: [Contract<World>] = Catalog.all, variants: Variants = .all
    ) -> [ContractCase] {
        func failing(_ reason: String) -> [ContractCase] { [ContractCase(subject: .nothing(reason), variants: variants)] }
        guard !contracts.isEmpty else { return failing("there is no contract to check") }
        guard !harnesses.isEmpty else { return failing("there is no harness to check contracts on") }
        return harnesses.flatMap { harness in
            contracts.map { ContractCase(subject: .contract($0, harness), variants: variants) }
        }
    }

    private func chosen(of variants: [Variant]) -> [Variant] {
        switch self.variants {
        case .all: variants
        case .first: Array(variants.prefix(1))
        case .others: Array(variants.dropFirst())
        }
    }

    /// The name of the case, with the harness and the id of the contract.
    public var testDescription: String {
        switch subject {
        case .contract(let contract, let harness): "adapter=\(harness.name) contract=\(contract.id)"
        case .nothing(let reason): reason
        }
    }

    /// Encodes the name of the case, which identifies the case in every run.
    ///
    /// - Throws: The error of the encoder.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(testDescription)
    }

    /// Checks the contract and the invariants for the chosen variants.
    ///
    /// If the contract is broken, the test records an issue at the line of the contract, and attaches the requests. The test also
    /// records an issue in these cases:
    ///
    /// - The run failed.
    /// - The contract was not checked, and ``Harness/cannotCheck`` does not list it.
    /// - The contract was checked, although ``Harness/cannotCheck`` lists it.
    ///
    /// - Parameters:
    ///   - mustApply: Whether to record an issue if the contract is not checked for any variant.
    public func verify(mustApply: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async {
        guard case .contract(let contract, let harness) = subject else {
            Issue.record("\(testDescription)", sourceLocation: sourceLocation)
            return
        }
        let variants = chosen(of: harness.variants)
        if variants.isEmpty { Issue.record("\(harness.name) has no variant to check", sourceLocation: sourceLocation) }
        let tally = ContractCounts.current
        let observed = tally?.observing(harness) ?? harness
        var outcomes: [Outcome] = []
        for variant in variants {
            outcomes.append(await LimitedConcurrency.turn { await contract.check(on: observed, variant) })
        }
        if let tally { outcomes.forEach(tally.note) }
        for outcome in outcomes {
            for outcome in [outcome] + outcome.others {
                if case .broken(let findings) = outcome.verdict { record(findings, outcome) }
            }
        }
        for trouble in Self.troubles(of: contract, on: harness, outcomes, mustApply: mustApply) {
            Issue.record("\(trouble)", sourceLocation: sourceLocation)
        }
    }

    /// Returns the problems in the results of a contract, without its findings.
    ///
    /// - Parameters:
    ///   - harness: The harness on which it was checked.
    ///   - mustApply: Whether the contract must be checked for at least one variant.
    /// - Returns: A sentence for each reason.
    package static func troubles(
        of contract: Contract<World>, on harness: any Harness, _ outcomes: [Outcome], mustApply: Bool = false
    ) -> [String] {
        let listed = harness.cannotCheck[contract.id]
        var troubles: [String] = []
        for outcome in outcomes {
            let place = "\(contract.id) on \(outcome.harness) (\(outcome.variant))"
            switch outcome.verdict {
            case .failed(let reason): troubles.append("\(place) could not run: \(reason)")
            // The harness lists the contracts that it cannot check. A broken contract that this one builds on is another reason.
            case .notChecked(let reason) where outcome.brokenGround != nil:
                troubles.append("\(place) was not checked: \(reason.sentence)")
            case .notChecked(let reason) where listed == nil:
                troubles.append("\(place) was not checked: \(reason.sentence) `cannotCheck` of the harness does not list it.")
            case .kept, .broken, .notApplicable, .notChecked: break
            }
        }
        let names = outcomes.map(\.verdict.name)
        let isExcused = outcomes.contains { $0.verdict.name == "notChecked" && $0.brokenGround == nil }
        if let listed, !isExcused, names.contains(where: { $0 != "notApplicable" }) {
            troubles.append(
                "\(contract.id) can be checked on \(harness.name) : remove it from `cannotCheck` (\(listed)).")
        }
        if mustApply, !names.contains("kept"), !names.contains("broken") {
            let reasons = outcomes.map { "\($0.variant): \($0.verdict.reason ?? "kept")" }
            troubles.append("\(contract.id) was not checked: \(reasons.joined(separator: "; "))")
        }
        return troubles
    }

    private func record(_ findings: [Finding], _ outcome: Outcome) {
        for finding in findings {
            Issue.record(
                "\(outcome.harness) (\(outcome.variant)) breaks \(outcome.contract.id), “\(outcome.contract.statement)”: \(finding)",
                sourceLocation: outcome.contract.site.location)
        }
        if let transcript = outcome.transcript {
            Attachment.record(transcript, named: "\(outcome.harness)-\(outcome.variant)-\(outcome.contract.id).txt")
        }
    }
}

extension SourceSite {
    /// This location as a `SourceLocation` of Swift Testing.
    public var location: SourceLocation { SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column) }
}

extension String {
    /// The text with one full stop at its end.
    fileprivate var sentence: String { hasSuffix(".") ? self : self + "." }
}
