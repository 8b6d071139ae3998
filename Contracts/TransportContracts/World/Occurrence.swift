import Synchronization

/// Something that happens once, on one thread, and is waited for by a task.
final class Occurrence<Value: Sendable>: Sendable {
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case happened(Value)
    }

    private let state = Mutex(State.pending([]))

    /// Says that it has happened; only the first time counts.
    func happen(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .pending(let waiting) = state else { return [] }
            state = .happened(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value, once it has happened.
    ///
    /// When a server makes it happen, wait by ``TransportWorld/wait(for:otherwise:)``: the server may fail before.
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
