/// The result of a check.
public enum TransportVerdict: Sendable {
    /// The promise holds.
    case kept
    /// It does not, for these reasons; there is at least one.
    case broken([TransportFinding])
    /// Nothing is known, for this reason.
    case notChecked(reason: String)

    /// Whether the promise holds.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the promise does not hold.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}
