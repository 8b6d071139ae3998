/// A contract that is checked during every other contract.
public enum Invariant: String, Sendable, Hashable, CaseIterable {
    /// The client never shows a secret.
    case secretsStayInside = "always.secrets-stay-inside"
    /// The backend accepts each token that the client returns.
    case tokenIsTaken = "always.token-is-taken"
    /// Only a sign-in changes the user of a session.
    case oneUser = "always.one-user"
    /// A request that changes something is sent only once.
    case sentOnce = "always.sent-once"
    /// The events report every request.
    case observed = "always.observed"
    /// No request URL contains a secret.
    case addressesCarryNone = "privacy.no-token-in-url"
    /// The times in a challenge match the times of the backend.
    case waitsTellTruth = "always.waits-tell-truth"

    /// The id of the contract.
    public var id: String { rawValue }
}
