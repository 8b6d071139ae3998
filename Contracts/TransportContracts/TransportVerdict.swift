/// The result of a check.
public enum TransportVerdict: Sendable {
    /// The contract is kept.
    case kept
    /// The contract is broken, for these reasons; there is at least one.
    case broken([TransportFinding])
    /// There is no result, for this reason.
    case notChecked(reason: String)

    /// Whether the contract is kept.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the contract is broken.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}
