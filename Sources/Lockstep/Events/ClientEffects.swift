public import LockstepPrimitives

/// A client's dependencies: time, randomness, and the event sink.
public struct ClientEffects: Sendable {
    /// What time it is, and how to wait.
    public var clock: any DeviceClock
    /// Where random bytes come from.
    public var randomness: any Randomness
    /// Receives the events.
    public var events: AuthEventSink

    /// Custom effects.
    public init(clock: any DeviceClock, randomness: any Randomness, events: AuthEventSink = .none) {
        self.clock = clock
        self.randomness = randomness
        self.events = events
    }

    /// This machine's clock and randomness.
    public static func live(events: AuthEventSink = .none) -> ClientEffects {
        ClientEffects(clock: SystemClock(), randomness: SystemRandomness(), events: events)
    }
}

/// Receives the events of a client, for logs, metrics and traces.
///
/// The function is called on the task that caused the event, after the change, with no lock held: it may call the client.
/// It must be quick and must not block: events of requests come on the transport's own thread.
public struct AuthEventSink: Sendable {
    private let take: (@Sendable (AuthEvent) -> Void)?

    /// A sink that passes every event to `take`.
    public init(_ take: @escaping @Sendable (AuthEvent) -> Void) { self.take = take }

    private init() { take = nil }

    /// No sink: no event is made.
    public static let none = AuthEventSink()

    /// A sink that passes every event to `write` as one line of JSON, its end included; see ``AuthEvent/jsonLine``.
    ///
    /// Lines may come from several threads at once: `write` must write each as a whole.
    public static func jsonLines(_ write: @escaping @Sendable (String) -> Void) -> AuthEventSink {
        AuthEventSink { write($0.jsonLine + "\n") }
    }

    /// A sink that passes every event to both.
    public func and(_ other: AuthEventSink) -> AuthEventSink {
        guard let take, let others = other.take else { return take == nil ? other : self }
        return AuthEventSink {
            take($0)
            others($0)
        }
    }

    var isNone: Bool { take == nil }

    /// Sends an event, which is built only where a sink is set.
    public func callAsFunction(_ event: @autoclosure () -> AuthEvent) { take?(event()) }
}
