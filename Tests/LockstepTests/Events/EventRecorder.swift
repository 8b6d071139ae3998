import Lockstep
import Synchronization

/// Records every event.
final class EventRecorder: Sendable {
    private let state = Mutex<[AuthEvent]>([])

    var sink: AuthEventSink { AuthEventSink { event in self.state.withLock { $0.append(event) } } }

    var all: [AuthEvent] { state.withLock { $0 } }

    /// The events since the last call.
    func take() -> [AuthEvent] {
        state.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
