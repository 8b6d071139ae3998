internal import Lockstep
internal import LockstepPrimitives

/// A session as the backend returns it.
struct InMemoryGrant: Sendable {
    var sessionID: String
    var user: User
    var accessToken: Secret
    var refreshToken: Secret
    var life: Duration
    var date: Instant
    var signedInAt: Instant
    var assurance: Session.Assurance
    var organizationID: String?

    /// Returns the grant with a text appended to both tokens.
    func ending(with suffix: String) -> InMemoryGrant {
        var copy = self
        copy.accessToken = Secret(accessToken.reveal() + suffix)
        copy.refreshToken = Secret(refreshToken.reveal() + suffix)
        return copy
    }
}

/// The handle of a requested verification.
struct InMemoryProofTicket: Sendable {
    var handle: Secret
    var address: String
}

/// The outcome of a call that may end in a session.
enum InMemoryOutcome: Sendable {
    case granted(InMemoryGrant, device: Secret)
    case unverified(InMemoryProofTicket, InMemoryGrant?)
    case newDevice(InMemoryProofTicket)
    case newPassword(InMemoryProofTicket)
    case conflict(current: String, other: String, ways: [Capability])
    case numberConflict(current: String, other: String, proof: Secret)
    case secondFactor(Secret, [FactorChoice])
    case passwordDemanded(Secret)
    case missingFields(Secret, [MissingFieldsStep.Field])
    case unknownStep(String)

    /// Returns the outcome with a text appended to the tokens of its session.
    func ending(with suffix: String) -> InMemoryOutcome {
        switch self {
        case .granted(let grant, let device): .granted(grant.ending(with: suffix), device: device)
        case .unverified(let ticket, let grant): .unverified(ticket, grant?.ending(with: suffix))
        default: self
        }
    }
}

/// The purpose of an identity, with its session resolved.
enum InMemoryIdentityUser: Sendable {
    case anyUser
    case link(toSession: String)
    case sameUser(asSession: String)
}

/// The user that an identity may belong to.
enum InMemoryIdentityTarget: Sendable {
    case anyUser
    case link(to: Secret)
    case sameUser(as: Secret)
}
