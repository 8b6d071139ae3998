internal import Lockstep
internal import LockstepPrimitives

/// A session as the backend hands it out.
struct InMemoryGrant: Sendable {
    var sessionID: String
    var user: User
    var accessToken: Secret
    var refreshToken: Secret
    var life: Duration
    var date: Instant
}

/// Names a proof that is asked for.
struct InMemoryProofTicket: Sendable {
    var handle: Secret
    var address: String
}

/// How a call that may end in a session ends.
enum InMemoryOutcome: Sendable {
    case granted(InMemoryGrant, device: Secret)
    case unverified(InMemoryProofTicket, InMemoryGrant?)
    case newDevice(InMemoryProofTicket)
    case newPassword(InMemoryProofTicket)
    case conflict(current: String, other: String)
    case unknownStep(String)
}

/// Whom an identity is shown for, with the session that is named looked up.
enum InMemoryIdentityUser: Sendable {
    case anyUser
    case link(toSession: String)
    case sameUser(asSession: String)
}

/// Whom an identity may belong to.
enum InMemoryIdentityTarget: Sendable {
    case anyUser
    case link(to: Secret)
    case sameUser(as: Secret)
}
