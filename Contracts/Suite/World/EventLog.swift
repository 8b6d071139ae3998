public import Lockstep
internal import Synchronization

/// Every event of the clients of a world.
public final class EventLog: Sendable {
    private let state = Mutex<[Event]>([])
    private let listener = Mutex<(@Sendable (Event) -> Void)?>(nil)

    /// The events so far, oldest first.
    public var all: [Event] { state.withLock { $0 } }

    /// Calls `body` with every event from now on, on the task that caused it.
    public func listen(_ body: @escaping @Sendable (Event) -> Void) { listener.withLock { $0 = body } }

    func sink(and other: EventSink) -> EventSink {
        EventSink { event in
            self.state.withLock { $0.append(event) }
            self.listener.withLock { $0 }?(event)
        }.and(other)
    }
}
