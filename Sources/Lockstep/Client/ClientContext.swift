public import LockstepPrimitives
internal import Synchronization

/// The parts that the coordinators of a client share: the adapter, the store, the effects, and the whole state under
/// one lock.
final class ClientContext: Sendable {
    let adapter: any AuthAdapter
    let store: any SessionStore
    let effects: ClientEffects
    let options: AuthClient.Options
    let state = Mutex(ClientState())
    /// Serialises access to the store, so that store and memory change in one order.
    let locks: ExclusiveLocks
    let slots: StoredSlots

    init(adapter: any AuthAdapter, store: any SessionStore, effects: ClientEffects, options: AuthClient.Options) {
        let store = TimeLimitedStore(store, limit: options.deadline, clock: effects.clock)
        let locks = ExclusiveLocks(clock: effects.clock)
        self.adapter = adapter
        self.store = store
        self.effects = effects
        self.options = options
        self.locks = locks
        slots = StoredSlots(
            provider: adapter.name, backend: adapter.backend, in: store, locks: locks, lockTimeout: options.lockTimeout
        ) { slot in
            effects.report(.quarantine, [.slot: slot.rawValue])
        }
        BackendsInUse.begin(slots.session.key)
    }

    deinit {
        BackendsInUse.end(slots.session.key)
        state.withLock { $0.observers }.finish()
    }

    /// Returns the error for a capability that the adapter does not have; the caller throws it before any request.
    func unsupported(_ capability: Capability) -> AuthError {
        .unsupported(capability, by: adapter.name)
    }

    /// Returns the error for a caller whose wait ended without a value.
    func end<Value>(of end: WaitEnd<Value>) -> AuthError {
        if case .cancelled = end { return .cancelled }
        return AuthError(
            .timedOut,
            "The call did not end within \(options.deadline.inWholeSeconds). The request may have reached the backend.",
            retry: .now)
    }
}

extension ClientEffects {
    /// Sends an event to the sink, and creates the event only if a sink is set.
    func report(_ name: AuthEvent.Name, _ fields: @autoclosure () -> [AuthEvent.Field: String] = [:]) {
        guard !events.isNone else { return }
        var event = AuthEvent(name, at: clock.now, fields())
        event[.callID] = RequestObserver.current?.callID
        events(event)
    }
}

/// The clock, the source of randomness and the event sink of a client.
///
/// ```swift
/// let client = AuthClient(adapter: adapter, store: store, effects: .live())
/// ```
public struct ClientEffects: Sendable {
    /// The clock.
    public var clock: any DeviceClock
    /// The source of random bytes.
    public var randomness: any Randomness
    /// The sink that receives the client's events.
    public var events: AuthEventSink

    /// Creates effects from a clock, a source of randomness and an event sink.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - randomness: The source of random bytes.
    ///   - events: The sink that receives the client's events. Default: none.
    public init(clock: any DeviceClock, randomness: any Randomness, events: AuthEventSink = .none) {
        self.clock = clock
        self.randomness = randomness
        self.events = events
    }

    /// Returns effects with the clock and the randomness of this machine.
    ///
    /// - Parameter events: The sink that receives the client's events. Default: none.
    /// - Returns: The effects.
    public static func live(events: AuthEventSink = .none) -> ClientEffects {
        ClientEffects(clock: SystemClock(), randomness: SystemRandomness(), events: events)
    }
}

/// A function that receives the events of a client, for logs, metrics and traces.
///
/// The client calls the function after the change that the event reports, on the task that caused the event. The
/// client holds no lock at that time, so the function may call the client. The function must be fast and must not
/// block, because events of requests arrive on the transport's own thread.
///
/// ```swift
/// let sink = AuthEventSink.jsonLines { line in print(line, terminator: "") }
/// let auth = AuthClient(adapter: adapter, store: store, effects: .live(events: sink))
/// ```
public struct AuthEventSink: Sendable {
    private let take: (@Sendable (AuthEvent) -> Void)?

    /// Creates a sink from a function.
    ///
    /// - Parameter take: A function that the client calls with every event.
    public init(_ take: @escaping @Sendable (AuthEvent) -> Void) { self.take = take }

    private init() { take = nil }

    /// A sink that ignores events.
    ///
    /// With this sink, the client does not create any events.
    public static let none = AuthEventSink()

    /// Creates a sink that writes every event as one line of JSON, with its line end; see ``AuthEvent/jsonLine``.
    ///
    /// Several threads may call `write` at the same time, so `write` must write each line as a whole.
    ///
    /// - Parameter write: A function that writes one line.
    /// - Returns: The sink.
    public static func jsonLines(_ write: @escaping @Sendable (String) -> Void) -> AuthEventSink {
        AuthEventSink { write($0.jsonLine + "\n") }
    }

    /// Returns a sink that passes every event to this sink and to another sink.
    ///
    /// - Parameter other: The other sink.
    /// - Returns: The combined sink.
    public func and(_ other: AuthEventSink) -> AuthEventSink {
        guard let take, let others = other.take else { return take == nil ? other : self }
        return AuthEventSink {
            take($0)
            others($0)
        }
    }

    var isNone: Bool { take == nil }

    /// Sends an event to the sink.
    ///
    /// If there is no sink, the event is not created.
    ///
    /// - Parameter event: The expression that creates the event.
    public func callAsFunction(_ event: @autoclosure () -> AuthEvent) { take?(event()) }
}
