/// An invariant, which is checked during every contract.
///
/// Each is a contract of its own.
public enum Invariant: String, Sendable, Hashable, CaseIterable {
    /// No secret is visible.
    case secretsStayInside = "always.secrets-stay-inside"
    /// The backend accepts each token that the client returns.
    case tokenIsTaken = "always.token-is-taken"
    /// Only a sign-in changes the user of a session.
    case oneUser = "always.one-user"
    /// An unsafe request is sent only once.
    case sentOnce = "always.sent-once"
    /// Every request is reported by events.
    case observed = "always.observed"
    /// No secret is in the address of a request.
    case addressesCarryNone = "privacy.no-token-in-url"
    /// The times of a challenge match the backend.
    case waitsTellTruth = "always.waits-tell-truth"

    /// The id of the contract.
    public var id: Contract.ID { rawValue }
}
