internal import Lockstep
internal import LockstepPrimitives

/// A sign-in whose first factor was right, and which waits for more.
struct InMemoryWaitingSignIn: Sendable {
    var userID: String
    var device: Secret
    /// Whether the second factor was given already.
    var isFactorGiven = false
    /// Whether the fields that the project wants were given already.
    var areFieldsGiven = false
}

/// What a user has beside the first factor.
struct InMemoryFactors: Sendable {
    /// The code that the authenticator app shows.
    var code: Secret
    var backupCodes: Set<Secret> = []
}

/// A factor that waits for its first right code.
struct InMemoryNewFactor: Sendable {
    var sessionID: String
    var code: Secret
}

/// A passkey's challenge.
struct InMemoryPasskeyChallenge: Sendable {
    /// The session whose user adds a passkey; `nil` for a sign-in.
    var sessionID: String?
    var startedAt: Instant
}
