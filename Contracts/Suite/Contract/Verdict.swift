/// The result of a contract's check on a harness.
public enum Verdict: Sendable, Hashable {
    /// The adapter keeps the contract.
    case kept
    /// The adapter breaks the contract. The associated value contains the findings.
    case broken([Finding])
    /// The contract does not apply to the adapter, for this reason.
    case notApplicable(String)
    /// The harness cannot check the contract, for this reason. It never counts as kept.
    case notChecked(String)
    /// The run failed without a result, because of the harness, its backend or its controls.
    case failed(String)

    /// All values of ``name``, in the order of the reports.
    public static let names = ["kept", "broken", "failed", "notApplicable", "notChecked"]

    /// `kept`, `broken`, `failed`, `notApplicable`, `notChecked`.
    public var name: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .notApplicable: "notApplicable"
        case .notChecked: "notChecked"
        case .failed: "failed"
        }
    }

    /// The reason, if any.
    public var reason: String? {
        switch self {
        case .kept: nil
        case .broken(let findings): findings.map(\.sentence).joined(separator: "; ")
        case .notApplicable(let reason), .notChecked(let reason), .failed(let reason): reason
        }
    }
}

/// A failed expectation.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The failure in words, without secrets.
    public let sentence: String
    /// The line of the check.
    public let line: Int

    /// The sentence and the line.
    public var description: String { "\(sentence) (line \(line))" }
}

/// A verdict with its contract, harness and variant.
public struct Outcome: Sendable {
    /// The contract.
    public let contract: Contract
    /// The harness's name.
    public let harness: String
    /// The variant's name.
    public let variant: String
    /// The result.
    public let verdict: Verdict
    /// The adapter's declaration, if providers differ.
    public let declared: String?
    /// The redacted requests, if the contract is broken.
    public let transcript: String?
    /// The broken contract because of which this one was not checked.
    public let brokenGround: Contract.ID?
    /// How long the check took; `nil` if it was not measured.
    public var duration: Duration?
    /// The outcomes of the invariants that were broken during this check.
    public internal(set) var others: [Outcome] = []
}
