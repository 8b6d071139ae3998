public import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// The events of all clients in a check.
public final class EventLog: Sendable {
    private let state = Mutex<[(event: AuthEvent, call: String?)]>([])
    private let listener = Mutex<(@Sendable (AuthEvent) -> Void)?>(nil)

    /// The events so far, oldest first.
    public var all: [AuthEvent] { state.withLock { $0.map(\.event) } }

    /// The events, each with the trace of its call.
    var marked: [(event: AuthEvent, call: String?)] { state.withLock { $0 } }

    /// Calls a closure for every event from now on, on the task that caused the event.
    public func listen(_ body: @escaping @Sendable (AuthEvent) -> Void) { listener.withLock { $0 = body } }

    func sink(and other: AuthEventSink) -> AuthEventSink {
        AuthEventSink { event in
            self.state.withLock { $0.append((event, TraceContext.current?.traceID)) }
            self.listener.withLock { $0 }?(event)
        }.and(other)
    }
}
