/// The lifetimes of sessions; `nil` means forever.
public struct SessionSettings: Sendable {
    /// The setting `GOTRUE_SESSIONS_TIMEBOX`.
    public var life: Duration?
    /// The setting `GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`.
    public var idleLife: Duration?
    /// How long a session without the user's second factor may live (`GOTRUE_SESSIONS_ALLOW_LOW_AAL`).
    public var lowAssuranceLife: Duration?
    /// A newer sign-in revokes the older ones (`GOTRUE_SESSIONS_SINGLE_PER_USER`).
    public var isSinglePerUser = false

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.optionalDuration("GOTRUE_SESSIONS_TIMEBOX", into: &life)
        environment.optionalDuration("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", into: &idleLife)
        environment.optionalDuration("GOTRUE_SESSIONS_ALLOW_LOW_AAL", into: &lowAssuranceLife)
        environment.flag("GOTRUE_SESSIONS_SINGLE_PER_USER", into: &isSinglePerUser)
    }
}
