internal import LockstepPrimitives

/// The tokens of a sign-in or a refresh.
struct IssuedSession: Sendable {
    var accessToken: String
    var refreshToken: String
    var life: Int
    var expiresAt: Int64
    var user: User
    var sessionID: String
    /// The count of a version 2 token.
    var counter: Int64?
    var providerToken: String?
    var providerRefreshToken: String?
}
