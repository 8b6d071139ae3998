internal import LockstepPrimitives

/// A version 1 refresh token.
struct RefreshToken: Sendable {
    var id: Int64
    var token: String
    var parent: String?
    var userID: String
    var sessionID: String
    var isRevoked: Bool
    var updatedAt: Instant
}
