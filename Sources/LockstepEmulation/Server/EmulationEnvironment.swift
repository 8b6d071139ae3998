public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The dependencies of an emulator: it gets time, randomness and message delivery from here alone.
public struct EmulationEnvironment: Sendable {
    /// Where the server listens: `http://127.0.0.1:PORT`, without a slash at the end.
    public let base: String
    /// The backend's clock; the `Date` header follows it.
    public let clock: ManualClock
    /// Ids, codes, tokens.
    public let randomness: any Randomness
    /// The keys that a project or an instance is made with.
    public let keyRandomness: any Randomness
    /// Takes emails and text messages.
    public let outbox: Outbox
    /// Where state is kept.
    public let storage: Storage
    /// Threads for what blocks or computes for long: password hashes, keys.
    public let workers: Workers
    /// Counts the password hashes that requests have cost.
    public let passwordWork = PasswordWork()
    /// The calls of other servers about events.
    public let deliveries: Deliveries

    /// What changes, for those who wait for it.
    public var changes: ChangeLog { outbox.changes }

    /// The time of the backend.
    public var now: Instant { clock.now }

    /// Creates an environment.
    ///
    /// - Parameter keyRandomness: where keys come from; `nil` for where ids come from.
    public init(
        base: String, clock: ManualClock, randomness: any Randomness, outbox: Outbox, storage: Storage, workers: Workers,
        keyRandomness: (any Randomness)? = nil
    ) {
        self.base = base
        self.clock = clock
        self.randomness = randomness
        self.keyRandomness = keyRandomness ?? randomness
        self.outbox = outbox
        deliveries = Deliveries(outbox.changes)
        self.storage = storage
        self.workers = workers
    }
}

/// How many passwords an emulator has hashed or compared.
///
/// The time of a response depends on that: where the backend hides whether an address is known, a request costs the same number
/// for a known one and for an unknown one.
public final class PasswordWork: Sendable {
    private let done = Mutex(0)

    /// No work yet.
    public init() {}

    /// Hashes and comparisons since the start.
    public var count: Int { done.withLock { $0 } }

    /// Counts one hash or comparison; an emulator calls it before each.
    public func add() { done.withLock { $0 += 1 } }
}
