internal import Synchronization

/// A gate that blocks every task until it is opened, even cancelled tasks.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of tasks that have reached the gate.
    var arrivals: Int { state.withLock { $0.arrived } }

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isOpen = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiting.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }

    /// Opens the gate permanently.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }
}

/// A value that is on or off.
final class Switch: Sendable {
    private let state: Atomic<Bool>

    init(_ isOn: Bool = false) { state = Atomic(isOn) }

    var isOn: Bool { state.load(ordering: .sequentiallyConsistent) }

    func turn(on isOn: Bool) { state.store(isOn, ordering: .sequentiallyConsistent) }
}
