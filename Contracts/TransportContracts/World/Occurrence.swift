import Synchronization

/// An event that happens once on a thread.
///
/// A task can wait for it.
final class Occurrence<Value: Sendable>: Sendable {
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case happened(Value)
    }

    private let state = Mutex(State.pending([]))

    /// Records that the event has happened.
    ///
    /// Later calls have no effect.
    func happen(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .pending(let waiting) = state else { return [] }
            state = .happened(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value of the event.
    ///
    /// Waits until the event has happened.
    ///
    /// If a server causes the event, use ``TransportWorld/wait(for:otherwise:)`` instead, because the server can fail first.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .happened(let value): return value
                    case .pending(let waiting):
                        state = .pending(waiting + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

extension Occurrence where Value == Void {
    func happen() { happen(()) }
}
