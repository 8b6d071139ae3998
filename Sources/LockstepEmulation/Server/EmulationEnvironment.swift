public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The dependencies of an emulator: its only source of time, randomness and message delivery.
public struct EmulationEnvironment: Sendable {
    /// The server's address: `http://127.0.0.1:PORT`, without a trailing slash.
    public let base: String
    /// The backend's clock; the `Date` header follows it.
    public let clock: ManualClock
    /// The source of ids, codes and tokens.
    public let randomness: any Randomness
    /// The source of the keys of a project or an instance.
    public let keyRandomness: any Randomness
    /// The outbox for emails and text messages.
    public let outbox: Outbox
    /// The storage of the state.
    public let storage: Storage
    /// The threads for long work, such as password hashes and keys.
    public let workers: Workers
    /// The number of password hashes that requests have required.
    public let passwordWork = PasswordWork()
    /// The calls to other servers about events.
    public let deliveries: Deliveries

    /// The changes, for callers that wait for them.
    public var changes: ChangeLog { outbox.changes }

    /// The time of the backend.
    public var now: Instant { clock.now }

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - base: The base address.
    ///   - clock: The clock.
    ///   - randomness: The source of randomness.
    ///   - outbox: The outbox.
    ///   - storage: The storage.
    ///   - workers: The threads for long work.
    ///   - keyRandomness: The source of keys; `nil` for the same source as ids.
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

/// A counter of the passwords that an emulator has hashed or compared.
///
/// The response time depends on it. If a backend hides whether an address is known, a request needs the same number for a known
/// and for an unknown address.
public final class PasswordWork: Sendable {
    private let done = Mutex(0)

    /// Creates a counter at zero.
    public init() {}

    /// The number of hashes and comparisons since the start.
    public var count: Int { done.withLock { $0 } }

    /// Counts one hash or comparison; an emulator calls it before each.
    public func add() { done.withLock { $0 += 1 } }
}
