internal import LockstepPrimitives

/// A sign-out that the backend has not heard of yet.
///
/// It stands in a slot of its own and has a form of its own: nothing ever reads it as a session.
struct Revocation: Sendable, Hashable, Codable {
    /// What to end.
    var ended: Session
    /// When the user signed out.
    var since: Instant

    /// How many are kept: older ones give way.
    static let limit = 16
    /// How long one is kept; by then every backend has ended the session by itself, or keeps it for ever.
    static let lockTimeout = Duration.seconds(30 * 24 * 3600)
}
