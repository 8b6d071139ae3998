import Lockstep
import Synchronization

/// Keeps every event.
final class EventRecorder: Sendable {
    private let state = Mutex<[Event]>([])

    var sink: EventSink { EventSink { event in self.state.withLock { $0.append(event) } } }

    var all: [Event] { state.withLock { $0 } }

    /// Those since the last time.
    func take() -> [Event] {
        state.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
