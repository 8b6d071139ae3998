internal import Synchronization

/// An active fault: it affects the next requests that match, and then no more.
public final class Fault: Sendable {
    private struct State {
        var remaining: Int
        var strikes = 0
        var awaited: [(count: Int, gate: Gate)] = []
    }

    /// Its name at this server: a number that no other fault has had since the start.
    public let id: Int
    /// The requests that it affects.
    public let match: RequestMatch
    /// Its effect.
    public let effect: FaultEffect

    let released = Gate()
    private let state: Mutex<State>

    init(_ id: Int, _ match: RequestMatch, _ effect: FaultEffect, times: Int) {
        self.id = id
        self.match = match
        self.effect = effect
        state = Mutex(State(remaining: times))
    }

    /// How many requests it has affected.
    public var strikes: Int { state.withLock { $0.strikes } }

    /// How many requests it will still affect.
    public var remaining: Int { state.withLock { $0.remaining } }

    /// Returns when it has affected so many requests; they may still be held.
    public func waitUntilTriggered(_ count: Int = 1) async {
        let gate = state.withLock { state -> Gate? in
            guard state.strikes < count else { return nil }
            let gate = Gate()
            state.awaited.append((count, gate))
            return gate
        }
        await gate?.wait()
    }

    /// Releases what it holds, now and from now on.
    public func release() { released.open() }

    /// It affects no more requests; what it holds stays held.
    public func disable() {
        state.withLock { $0.remaining = 0 }
    }

    /// It affects no more requests; what it holds continues.
    public func disableAndRelease() {
        state.withLock { $0.remaining = 0 }
        release()
    }

    /// Counts a request that matches; false when it is spent.
    func claim(_ request: EmulatorRequest) -> Bool {
        guard match.matches(request) else { return false }
        let gates = state.withLock { state -> [Gate]? in
            guard state.remaining > 0 else { return nil }
            state.remaining -= 1
            state.strikes += 1
            let strikes = state.strikes
            let reached = state.awaited.filter { $0.count <= strikes }
            state.awaited.removeAll { $0.count <= strikes }
            return reached.map(\.gate)
        }
        guard let gates else { return false }
        for gate in gates { gate.open() }
        return true
    }
}

/// The active faults, the oldest first.
final class FaultList: Sendable {
    private let faults = Mutex<[Fault]>([])
    private let count = Atomic(0)
    private let lastID = Atomic(0)
    private let changes: ChangeLog

    /// Kept so that what they hold can be released, though they affect no more requests.
    private static let capacity = 1000

    init(_ changes: ChangeLog) { self.changes = changes }

    var all: [Fault] { faults.withLock { $0 } }

    /// An id that no fault has had.
    func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

    func add(_ fault: Fault) {
        faults.withLock { faults in
            faults.append(fault)
            if faults.count > Self.capacity { faults.removeFirst().release() }
            count.store(faults.count, ordering: .releasing)
        }
        changes.note(.faults)
    }

    /// Removes a fault; what it holds continues.
    ///
    /// - Returns: Whether there was one of that id.
    func remove(_ id: Int) -> Bool {
        let fault = faults.withLock { faults -> Fault? in
            guard let place = faults.firstIndex(where: { $0.id == id }) else { return nil }
            defer { count.store(faults.count, ordering: .releasing) }
            return faults.remove(at: place)
        }
        guard let fault else { return false }
        fault.disableAndRelease()
        changes.note(.faults)
        return true
    }

    /// The first fault that affects a request.
    func claim(_ request: EmulatorRequest) -> Fault? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        let fault = all.first { $0.claim(request) }
        if fault != nil { changes.note(.faults) }
        return fault
    }

    func reset() {
        let old = faults.withLock { faults in
            defer { faults = [] }
            count.store(0, ordering: .releasing)
            return faults
        }
        for fault in old { fault.disableAndRelease() }
        changes.note(.faults)
    }
}
