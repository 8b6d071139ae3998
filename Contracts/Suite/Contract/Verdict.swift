/// The result of checking a promise on a harness.
public enum Verdict: Sendable, Hashable {
    /// The adapter keeps the promise.
    case kept
    /// The adapter breaks it: what was found.
    case broken([Finding])
    /// The promise does not apply to the adapter, for this reason.
    case notApplicable(String)
    /// The harness cannot check it, for this reason. Never to be counted as kept.
    case notChecked(String)
    /// The run failed before it could tell: the harness, its backend or its controls.
    case failed(String)

    /// Every ``name``, in the order in which reports count them.
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

/// A verdict with what it is about.
public struct Outcome: Sendable {
    /// The promise.
    public let contract: Contract
    /// The harness's name.
    public let harness: String
    /// The variant's name.
    public let variant: String
    /// The result.
    public let verdict: Verdict
    /// The adapter's declaration here, where providers differ.
    public let declared: String?
    /// The exchanges, redacted, where the promise is broken.
    public let transcript: String?
    /// The broken promise that it builds on, if it is not checked because of one.
    public let brokenGround: Contract.ID?
    /// How long the check took; `nil` if it was not measured.
    public var duration: Duration?
    /// The promises that are looked at in every contract and were found broken in this run: outcomes of their own.
    public internal(set) var others: [Outcome] = []
}
