/// The result of checking a contract on a harness.
public enum Verdict: Sendable, Hashable {
    /// The adapter keeps the contract.
    case kept
    /// The adapter breaks the contract, with the reasons.
    case broken([Finding])
    /// The contract does not apply to the adapter.
    ///
    /// The text is the reason.
    case notApplicable(String)
    /// The contract cannot be checked on this harness.
    ///
    /// The text is the reason. Reports never show such a contract as kept.
    case notChecked(String)
    /// The check failed without a result because of the harness, its backend or its controls.
    ///
    /// The text is the reason.
    case failed(String)

    /// All values of ``name``, in the order in which reports list them.
    public static let names = ["kept", "broken", "failed", "notApplicable", "notChecked"]

    /// The name of the result: `kept`, `broken`, `failed`, `notApplicable` or `notChecked`.
    public var name: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .notApplicable: "notApplicable"
        case .notChecked: "notChecked"
        case .failed: "failed"
        }
    }

    /// The reason for the result, or `nil`.
    public var reason: String? {
        switch self {
        case .kept: nil
        case .broken(let findings): findings.map(\.sentence).joined(separator: "; ")
        case .notApplicable(let reason), .notChecked(let reason), .failed(let reason): reason
        }
    }
}

/// A reason why a contract is broken, with the line of the check.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// A sentence that describes the failure, without secrets.
    public let sentence: String
    /// The line of the check in the source.
    public let line: Int

    /// The sentence, and the line of the check.
    public var description: String { "\(sentence) (line \(line))" }
}

/// The result of a check, with the contract, the harness and the variant.
public struct Outcome: Sendable {
    /// The contract that was checked.
    public let contract: Contract
    /// The name of the harness.
    public let harness: String
    /// The name of the variant.
    public let variant: String
    /// The result of the check.
    public let verdict: Verdict
    /// The statement of the adapter, if the contract checks a statement; otherwise `nil`.
    public let declared: String?
    /// The sent requests, without secrets; `nil` if the contract is kept or a mutation was applied.
    public let transcript: String?
    /// The broken contract that prevented the check of this contract, or `nil`.
    public let brokenGround: Contract.ID?
    /// The duration of the check; `nil` if the duration was not measured.
    public var duration: Duration?
    /// The results of the invariants that were broken during this check.
    public internal(set) var others: [Outcome] = []
}
