internal import LockstepPrimitives

/// The session of a refresh token.
struct Session: Sendable {
    let project: String
    let tenant: String?
    let localID: String
    let grant: Grant
    /// `nil` where the token does not contain it, as that of Firebase's emulator.
    let createdAt: Instant?
}
