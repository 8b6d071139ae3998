internal import LockstepPrimitives

/// A challenge of a factor.
struct FactorChallenge: Sendable {
    var id: String
    var factorID: String
    var address: String
    var code: String?
    var webAuthnChallenge: String?
    var createdAt: Instant
    var verifiedAt: Instant?
}
