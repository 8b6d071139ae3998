internal import LockstepPrimitives

/// A sign-out that has not reached the backend yet.
///
/// It has a slot and a format of its own, so that it is never read as a session.
struct Revocation: Sendable, Hashable, Codable {
    /// What to end.
    var ended: Session
    /// When the user signed out.
    var since: Instant

    /// How many are kept: the oldest are dropped.
    static let limit = 16
    /// How long one is kept; by then every backend has ended the session itself, or never will.
    static let retention = Duration.seconds(30 * 24 * 3600)
}
