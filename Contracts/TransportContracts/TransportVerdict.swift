/// The result of checking a contract on a transport.
public enum TransportVerdict: Sendable {
    /// The transport keeps the contract.
    case kept
    /// The transport breaks the contract, with the reasons.
    ///
    /// There is at least one reason.
    case broken([TransportFinding])
    /// The contract was not checked, with the reason.
    case notChecked(reason: String)

    /// Whether the transport keeps the contract.
    public var isKept: Bool {
        if case .kept = self { true } else { false }
    }

    /// Whether the transport breaks the contract.
    public var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}
