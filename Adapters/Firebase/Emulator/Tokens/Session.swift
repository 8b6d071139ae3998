internal import LockstepPrimitives

/// What a refresh token stands for.
struct Session: Sendable {
    let project: String
    let tenant: String?
    let localID: String
    let grant: Grant
    /// `nil` where the token itself does not tell, as that of Firebase's emulator.
    let createdAt: Instant?
}
