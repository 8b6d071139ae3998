internal import Lockstep
internal import LockstepPrimitives

/// A user's record in the backend.
struct InMemoryAccountRecord: Sendable {
    var user: User
    var password: Secret?
    var isDisabled = false
    var devices: Set<Secret> = []
    var factors: InMemoryFactors?
    var needsNewPassword = false
    var given: [MissingFieldsStep.Field: String] = [:]
    var passkeys: [InMemoryPasskey] = []
}

/// A passkey of a user: a key, which is a text here, and the values that the user sees.
struct InMemoryPasskey: Sendable {
    var key: Secret
    var shown: Passkey
}

/// An organization and its members' roles, by their ids.
struct InMemoryOrganization: Sendable {
    var id: String
    var name: String
    var roles: [String: String]
}

/// A session's record in the backend.
struct InMemorySessionRecord: Sendable {
    var id: String
    var userID: String
    var refreshToken: Secret
    var spentTokens: Set<Secret> = []
    /// The token that the newest one replaced.
    var previousToken: Secret?
    var accessTokens: [Secret: Instant] = [:]
    var signedInAt: Instant
    var assurance: Session.Assurance
    /// The active organization.
    var organizationID: String?
    var isOver = false
    /// The way in which an administrator has ended the session.
    var ending: ProviderBehavior.NextRefresh?
}

/// A requested verification, with every message that was sent for it.
struct InMemoryProofRecord: Sendable {
    enum Purpose: Sendable { case confirmation, signIn(creates: Bool), newDevice, passwordReset, emailChange, number }

    struct Message: Sendable {
        var code: Secret
        var token: Secret
        var sentAt: Instant
        var isUsed = false
    }

    var handle: Secret
    var purpose: Purpose
    /// The value that the device stored before the request.
    var request: Secret?
    var address: String
    /// The user; `nil` if the address has no account and the response must not reveal it.
    var userID: String?
    /// The profile of the new user.
    var profile: SignUpProfile?
    var messages: [Message] = []
    var isProven = false
    var isOver = false
    var sessionID: String?
}

/// A redirect through an identity provider's page.
struct InMemoryRoundTripRecord: Sendable {
    var provider: IdentityProvider
    var user: InMemoryIdentityUser
    var kind: Flow.Kind
    var startedAt: Instant
    /// The identity of the person who approved on the page, and the secret of the link that returns it.
    var consent: (token: Secret, person: InMemoryIDToken)?
    var isUsed = false
}

/// A sign-in whose first factor was correct, and which waits for more.
struct InMemoryWaitingSignIn: Sendable {
    var userID: String
    var device: Secret
    /// The session that is being renewed and continues; `nil` if there will be a new one.
    var renews: String?
    /// Whether the user has already completed the second factor.
    var isFactorGiven = false
    /// The code that was sent to the phone of the second factor.
    var sent: (code: Secret, at: Instant)?
}

/// The second factors of a user.
struct InMemoryFactors: Sendable {
    var apps: [InMemoryApp] = []
    /// The number that gets codes by SMS, or `nil`.
    var phone: String?
    var backupCodes: Set<Secret> = []
}

/// An authenticator app, whose code stays the same.
struct InMemoryApp: Sendable {
    var id: String
    var label: String?
    var code: Secret
}

/// A factor that waits for its first correct code.
struct InMemoryNewFactor: Sendable {
    var sessionID: String
    var app: InMemoryApp
    /// The number that received the code; `nil` for an authenticator app.
    var phone: String?
    var sentAt: Instant
}

/// A passkey's challenge.
struct InMemoryPasskeyChallenge: Sendable {
    /// The session whose user adds a passkey; `nil` for a sign-in.
    var sessionID: String?
    var startedAt: Instant
}

extension InMemoryProofRecord {
    /// The kind of flow, for the link.
    var kind: Flow.Kind {
        switch purpose {
        case .confirmation: .confirmation
        case .signIn, .newDevice: .signIn
        case .passwordReset: .passwordReset
        case .emailChange: .emailChange
        case .number: .linking
        }
    }
}
