/// A contract that is checked during every other contract.
public enum Invariant: String, Sendable, Hashable, CaseIterable {
    /// No secret is visible in what the client shows.
    case secretsStayInside = "always.secrets-stay-inside"
    /// The backend accepts each token that the client returns.
    case tokenIsTaken = "always.token-is-taken"
    /// Only a sign-in changes the user of a session.
    case oneUser = "always.one-user"
    /// A request that changes something is sent only once.
    case sentOnce = "always.sent-once"
    /// The events report every request.
    case observed = "always.observed"
    /// No URL of a request contains a secret.
    case addressesCarryNone = "privacy.no-token-in-url"
    /// The times of a challenge are those of the backend.
    case waitsTellTruth = "always.waits-tell-truth"

    /// The id of the contract.
    public var id: Contract.ID { rawValue }
}
