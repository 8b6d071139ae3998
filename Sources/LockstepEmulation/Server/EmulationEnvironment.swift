public import LockstepPrimitives
public import LockstepTestSupport

/// The dependencies of an emulator: it gets time, randomness and message delivery from here alone.
public struct EmulationEnvironment: Sendable {
    /// Where the server listens: `http://127.0.0.1:PORT`, without a slash at the end.
    public let base: String
    /// The backend's clock; the `Date` header follows it.
    public let clock: ManualClock
    /// Ids, codes, tokens.
    public let randomness: any Randomness
    /// Takes mails and text messages.
    public let outbox: Outbox
    /// Where state is kept.
    public let storage: Storage
    /// Threads for what blocks or computes for long: password hashes, keys.
    public let workers: Workers
    /// Counts the password hashes that requests have cost.
    public let passwordWork = PasswordWork()

    /// The time of the backend.
    public var now: Instant { clock.now }

    /// An environment from its parts.
    public init(
        base: String, clock: ManualClock, randomness: any Randomness, outbox: Outbox, storage: Storage, workers: Workers
    ) {
        self.base = base
        self.clock = clock
        self.randomness = randomness
        self.outbox = outbox
        self.storage = storage
        self.workers = workers
    }
}
