/// What is looked at in every contract, while it runs; each is a promise of its own.
public enum Invariant: String, Sendable, Hashable, CaseIterable {
    /// No secret is shown.
    case secretsStayInside = "always.secrets-stay-inside"
    /// A token that is handed out is one that the backend takes.
    case tokenIsTaken = "always.token-is-taken"
    /// The user of a session changes by a sign-in only.
    case oneUser = "always.one-user"
    /// A request that is not safe to repeat is sent once.
    case sentOnce = "always.sent-once"
    /// Every request has its events.
    case observed = "always.observed"
    /// No secret is in the address of a request.
    case addressesCarryNone = "privacy.no-token-in-url"
    /// The times of a challenge are the backend's.
    case waitsTellTruth = "always.waits-tell-truth"

    /// The promise's id.
    public var id: Contract.ID { rawValue }
}
