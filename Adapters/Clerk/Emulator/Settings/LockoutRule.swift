/// When a user is locked out after failed proofs (`attack_protection.user_lockout`).
public struct LockoutRule: Sendable, Hashable {
    /// Failed proofs until the lock.
    public var attempts: Int
    /// How long the lock lasts.
    public var duration: Duration

    /// Locks after `attempts` failed proofs for `duration`.
    public init(attempts: Int = 100, duration: Duration = .seconds(3600)) {
        self.attempts = attempts
        self.duration = duration
    }
}
