public import LockstepPrimitives

/// A client's dependencies: time, randomness, and the event sink.
public struct Effects: Sendable {
    /// What time it is, and how to wait.
    public var clock: any DeviceClock
    /// Where random bytes come from.
    public var randomness: any Randomness
    /// Receives the events.
    public var events: EventSink

    /// Custom effects.
    public init(clock: any DeviceClock, randomness: any Randomness, events: EventSink = .none) {
        self.clock = clock
        self.randomness = randomness
        self.events = events
    }

    /// This machine's clock and randomness.
    public static func live(events: EventSink = .none) -> Effects {
        Effects(clock: SystemClock(), randomness: SystemRandomness(), events: events)
    }
}
