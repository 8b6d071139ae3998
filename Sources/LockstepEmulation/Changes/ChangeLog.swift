internal import LockstepPrimitives
internal import Synchronization

/// A counter of the changes in an emulator.
///
/// The number grows with every change. If a caller remembers a number, it can find out what has changed since then.
/// The caller can also wait for the next change.
public final class ChangeLog: Sendable {
    /// The kind of a change.
    public enum Kind: String, Sendable, CaseIterable {
        /// An email or a text message was sent, read or deleted.
        case messages
        /// The emulator has responded to a request.
        case requests
        /// The emulator has called another server about an event.
        case deliveries
        /// A test has set or removed a fault, or a fault has affected a request.
        case faults
        /// A test has moved, stopped or started the clock.
        case clock
        /// A control route has changed settings, or a reset has restored them.
        case settings
        /// A transaction has written users, sessions or other stored data.
        case rows
    }

    private struct State {
        var number = 0
        var last: [Kind: Int] = [:]
        /// The callers that wait for a change of a kind; under `nil`, those that wait for any change.
        var waiters: [Kind?: [Int: CheckedContinuation<Void, Never>]] = [:]
        var cancelled: Set<Int> = []
        var nextWaiter = 0

        /// Returns the number of the last change of a kind; of any kind for `nil`.
        func number(of kind: Kind?) -> Int { kind.map { last[$0, default: 0] } ?? number }
    }

    private let state = Mutex(State())
    private let reads = Atomic(0)

    /// The number of records that waiting callers and responses have read, which shows how their work grows.
    package var recordsRead: Int { reads.load(ordering: .relaxed) }

    func noteReading(of count: Int) { reads.add(count, ordering: .relaxed) }

    /// Creates a counter that starts at zero.
    public init() {}

    /// The number of the last change.
    public var number: Int { state.withLock { $0.number } }

    /// The number of callers that wait for a change.
    package var waiterCount: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// Counts a change, and wakes all callers that wait for a change of this kind.
    public func note(_ kind: Kind) {
        let waiters = state.withLock { state in
            state.number += 1
            state.last[kind] = state.number
            return [kind, nil].flatMap { (state.waiters.removeValue(forKey: $0) ?? [:]).values }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns the number of the last change, and the kinds of all changes since an earlier number.
    ///
    /// If `number` is larger than the last number, it comes from another server that had the same address. In that case, every
    /// kind is returned.
    ///
    /// - Parameter number: The number that the caller remembers.
    /// - Returns: The number of the last change, and the kinds of all changes since then.
    public func changes(after number: Int) -> (number: Int, kinds: [Kind]) {
        state.withLock { state in
            let isForeign = number > state.number
            return (state.number, Kind.allCases.filter { isForeign || state.last[$0, default: 0] > number })
        }
    }

    /// Waits until a closure returns a value.
    ///
    /// The closure is called now and after each change.
    ///
    /// - Parameters:
    ///   - kind: The kind of the changes; `nil` for any.
    ///   - place: Where the closure begins to read. It moves the place, so that it does not read anything twice.
    ///   - limit: How long to wait, on `clock`.
    ///   - clock: The clock of the machine, never that of the backend.
    ///   - find: Looks for the value.
    /// - Returns: The value; `nil` if there was none in this time.
    /// - Throws: `CancellationError` if the task is cancelled.
    func first<Value: Sendable, Place: Sendable>(
        of kind: Kind?, from place: Place, within limit: Duration, on clock: any DeviceClock,
        _ find: @escaping @Sendable (inout Place) throws -> Value?
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                var place = place
                while true {
                    let number = self.state.withLock { $0.number(of: kind) }
                    if let value = try find(&place) { return value }
                    await self.change(of: kind, after: number)
                    try Task.checkCancellation()
                }
            }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Waits until a change of a kind after `number` was counted, or until the task is cancelled.
    private func change(of kind: Kind?, after number: Int) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.number(of: kind) != number { return true }
                    state.waiters[kind, default: [:]][id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters[kind]?.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.resume()
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }
}
