/// The result of checking a contract on a harness.
public enum Verdict: Sendable, Hashable {
    /// The subject keeps the contract.
    case kept
    /// The subject breaks the contract, with the reasons.
    case broken([Finding])
    /// The contract does not apply to the subject.
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

    package var isBroken: Bool {
        if case .broken = self { true } else { false }
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

/// A reason why a contract is broken, with the place of the check.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// A sentence that describes the failure, without secrets.
    public let sentence: String
    /// The place of the check in the source.
    public let site: SourceSite

    /// Creates a finding.
    ///
    /// - Parameters:
    ///   - sentence: A sentence that describes the failure, without secrets.
    ///   - site: The place of the check in the source.
    public init(sentence: String, site: SourceSite) {
        self.sentence = sentence
        self.site = site
    }

    /// The sentence, and the line of the check.
    public var description: String { "\(sentence) (line \(site.line))" }
}
