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
    private enum Subject: Sendable {
        case promise(Contract, any Harness)
        /// There is nothing to check, which fails: a parameterised test without cases would pass.
        case nothing(String)
    }

    /// The variants of a harness that a test checks.
    public enum Variants: Sendable {
        /// Every variant.
        case all
        /// The first variant, which is the usual one.
        case first
        /// All variants but the first.
        case others
    }

    private let subject: Subject
    private let variants: Variants

    /// Every promise on a harness.
    ///
    /// None are left out: the check itself finds out which do not apply.
    ///
    /// - Parameters:
    ///   - harness: The adapter with its backend.
    ///   - contracts: The contracts to check.
    ///   - variants: The variants to check them in. A short run takes the first one, a long run the others.
    /// - Returns: A case for each contract.
    public static func all(
        on harness: any Harness, contracts: [Contract] = Catalog.all, variants: Variants = .all
    ) -> [ContractCase] {
        all(on: [harness], contracts: contracts, variants: variants)
    }

    /// Every promise on several harnesses; without a harness or a promise one case that fails, because nothing would be checked.
    public static func all(
        on harnesses: [any Harness], contracts: [Contract] = Catalog.all, variants: Variants = .all
    ) -> [ContractCase] {
        func failing(_ reason: String) -> [ContractCase] { [ContractCase(subject: .nothing(reason), variants: variants)] }
        guard !contracts.isEmpty else { return failing("there is no promise to check") }
        guard !harnesses.isEmpty else { return failing("there is no harness to check promises on") }
        return harnesses.flatMap { harness in
            contracts.map { ContractCase(subject: .promise($0, harness), variants: variants) }
        }
    }

    private func chosen(of variants: [Variant]) -> [Variant] {
        switch self.variants {
        case .all: variants
        case .first: Array(variants.prefix(1))
        case .others: Array(variants.dropFirst())
        }
    }

    /// Harness and id.
    public var testDescription: String {
        switch subject {
        case .promise(let contract, let harness): "adapter=\(harness.name) contract=\(contract.id)"
        case .nothing(let reason): reason
        }
    }

    /// The same, as the stable name of the case.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(testDescription)
    }

    /// Checks the promise in the chosen variants, and those that are looked at in every check; what is broken is recorded at the line of the promise, with the exchanges attached.
    ///
    /// Recorded too are a run that failed, what was not checked unless the harness lists it (``Harness/cannotCheck``), and what
    /// the harness lists although it was checked.
    ///
    /// - Parameter mustApply: records an issue, too, where the promise is checked in no variant.
    public func verify(mustApply: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async {
        guard case .promise(let contract, let harness) = subject else {
            Issue.record("\(testDescription)", sourceLocation: sourceLocation)
            return
        }
        let variants = chosen(of: harness.variants)
        if variants.isEmpty { Issue.record("\(harness.name) has no variant to check", sourceLocation: sourceLocation) }
        var outcomes: [Outcome] = []
        for variant in variants {
            outcomes.append(await LimitedConcurrency.turn { await contract.check(on: harness, variant) })
        }
        for outcome in outcomes {
            for outcome in [outcome] + outcome.others {
                if case .broken(let findings) = outcome.verdict { record(findings, outcome) }
            }
        }
        for trouble in Self.troubles(of: contract, on: harness, outcomes, mustApply: mustApply) {
            Issue.record("\(trouble)", sourceLocation: sourceLocation)
        }
    }

    /// Why outcomes are no proof, apart from what they found broken.
    package static func troubles(
        of contract: Contract, on harness: any Harness, _ outcomes: [Outcome], mustApply: Bool = false
    ) -> [String] {
        let listed = harness.cannotCheck[contract.id]
        var troubles: [String] = []
        for outcome in outcomes {
            let place = "\(contract.id) on \(outcome.harness) (\(outcome.variant))"
            switch outcome.verdict {
            case .failed(let reason): troubles.append("\(place) could not be run: \(reason)")
            // What the harness lists is what it cannot do; a promise that cannot be judged is another matter.
            case .notChecked(let reason) where outcome.brokenGround != nil:
                troubles.append("\(place) was not checked: \(reason).")
            case .notChecked(let reason) where listed == nil:
                troubles.append("\(place) was not checked: \(reason). `cannotCheck` of the harness does not list it.")
            case .kept, .broken, .notApplicable, .notChecked: break
            }
        }
        let names = outcomes.map(\.verdict.name)
        let isExcused = outcomes.contains { $0.verdict.name == "notChecked" && $0.brokenGround == nil }
        if let listed, !isExcused, names.contains(where: { $0 != "notApplicable" }) {
            troubles.append(
                "\(contract.id) is listed as not to be checked on \(harness.name) (\(listed)), and could be: take it off.")
        }
        if mustApply, !names.contains("kept"), !names.contains("broken") {
            let reasons = outcomes.map { "\($0.variant): \($0.verdict.reason ?? "kept")" }
            troubles.append("\(contract.id) is not exercised: \(reasons.joined(separator: "; "))")
        }
        return troubles
    }

    private func record(_ findings: [Finding], _ outcome: Outcome) {
        for finding in findings {
            Issue.record(
                "\(outcome.harness) (\(outcome.variant)) breaks \(outcome.contract.id), “\(outcome.contract.promise)”: \(finding)",
                sourceLocation: outcome.contract.site.location)
        }
        if let transcript = outcome.transcript {
            Attachment.record(transcript, named: "\(outcome.harness)-\(outcome.variant)-\(outcome.contract.id).txt")
        }
    }
}

extension SourceSite {
    /// The place as the test runner takes it.
    public var location: SourceLocation { SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column) }
}
