public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The services that an emulator works with, such as its clock, randomness, outbox and storage.
///
/// An emulator has no other source of time or random numbers, and no other way to send messages.
public struct EmulationEnvironment: Sendable {
    /// The URL of the server: `http://127.0.0.1:PORT`, without a slash at the end.
    public let base: String
    /// The clock of the backend, which also sets the `Date` header.
    public let clock: ManualClock
    /// The source of random ids, codes and tokens.
    public let randomness: any Randomness
    /// The source of random keys for a project or an instance.
    public let keyRandomness: any Randomness
    /// The emails and text messages that the emulator has sent.
    public let outbox: Outbox
    /// The storage for the state.
    public let storage: Storage
    /// The threads for slow work, such as hashing a password or making a key.
    public let workers: Workers
    /// The only token of an administrator who has no key, if the server is closed (``EmulatorOptions/isClosed``).
    package var ownerToken: Secret?
    /// The counter of the passwords that requests have hashed or compared.
    public let passwordWork = PasswordWork()
    /// The calls to other servers about events.
    public let deliveries: Deliveries

    /// The counter of changes, for callers that wait for a change.
    public var changes: ChangeLog { outbox.changes }

    /// The time on the clock of the backend.
    public var now: Instant { clock.now }

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - base: The URL of the server.
    ///   - clock: The clock of the backend.
    ///   - randomness: The source of random ids, codes and tokens.
    ///   - outbox: The emails and text messages that the emulator sends.
    ///   - storage: The storage for the state.
    ///   - workers: The threads for slow work.
    ///   - keyRandomness: The source of random keys; `nil` to use the source of random ids.
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
/// This work determines the response time. If a backend hides whether an address is known, the number must be the same for
/// known and unknown addresses.
public final class PasswordWork: Sendable {
    private let done = Mutex(0)

    /// Creates a counter that starts at zero.
    public init() {}

    /// The number of hashes and comparisons since the start.
    public var count: Int { done.withLock { $0 } }

    /// Counts one hash or comparison.
    ///
    /// An emulator calls this function before each hash and before each comparison.
    public func add() { done.withLock { $0 += 1 } }
}
