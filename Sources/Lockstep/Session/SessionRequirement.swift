/// What an app asks of a session before it opens a feature.
public enum SessionRequirement: String, Sendable, Hashable, CaseIterable {
    /// Any user, a guest too.
    case any
    /// A user whose address is proven, or who came in by another proof.
    case verified
    /// A user who gave a second factor.
    case secondFactor
}
