internal import Synchronization

/// A fault that a test has set.
///
/// The fault affects a limited number of matching requests.
///
/// ```swift
/// let fault = try server.panel.fail("POST", "/token*", with: .hold)
/// await fault.waitUntilTriggered()              // the next refresh has arrived, and waits
/// fault.release()
/// ```
public final class Fault: Sendable {
    private struct State {
        var remaining: Int
        var strikes = 0
        var awaited: [(count: Int, gate: Gate)] = []
    }

    /// The number that identifies the fault.
    ///
    /// No other fault has this id until the server restarts.
    public let id: Int
    /// The requests that the fault affects.
    public let match: RequestMatch
    /// The effect of the fault on these requests.
    public let effect: FaultEffect

    let released = Gate()
    private let state: Mutex<State>

    init(_ id: Int, _ match: RequestMatch, _ effect: FaultEffect, times: Int) {
        self.id = id
        self.match = match
        self.effect = effect
        state = Mutex(State(remaining: times))
    }

    /// The number of requests that the fault has affected.
    public var strikes: Int { state.withLock { $0.strikes } }

    /// The number of further requests that the fault will affect.
    public var remaining: Int { state.withLock { $0.remaining } }

    /// Waits until the fault has affected a number of requests.
    ///
    /// The fault may still hold these requests.
    ///
    /// - Parameter count: The number of requests. Default: 1.
    public func waitUntilTriggered(_ count: Int = 1) async {
        let gate = state.withLock { state -> Gate? in
            guard state.strikes < count else { return nil }
            let gate = Gate()
            state.awaited.append((count, gate))
            return gate
        }
        await gate?.wait()
    }

    /// Releases the requests that the fault holds.
    ///
    /// The requests continue, and the fault does not hold further requests.
    public func release() { released.open() }

    /// Ends the fault.
    ///
    /// If the fault already holds requests, they keep waiting.
    public func disable() {
        state.withLock { $0.remaining = 0 }
    }

    /// Ends the fault, and releases the requests that the fault holds.
    public func disableAndRelease() {
        state.withLock { $0.remaining = 0 }
        release()
    }

    /// Counts a request that matches.
    ///
    /// It returns `false` if the fault has ended.
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

/// The faults that are set, oldest first.
final class FaultList: Sendable {
    private let faults = Mutex<[Fault]>([])
    private let count = Atomic(0)
    private let lastID = Atomic(0)
    private let changes: ChangeLog

    /// The maximum number of faults.
    ///
    /// Faults that have ended are kept, so that the requests that they hold can be released.
    private static let capacity = 1000

    init(_ changes: ChangeLog) { self.changes = changes }

    var all: [Fault] { faults.withLock { $0 } }

    /// Returns an id that no earlier fault had.
    func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

    func add(_ fault: Fault) {
        faults.withLock { faults in
            faults.append(fault)
            if faults.count > Self.capacity { faults.removeFirst().release() }
            count.store(faults.count, ordering: .releasing)
        }
        changes.note(.faults)
    }

    /// Removes a fault, and releases the requests that it holds.
    ///
    /// - Returns: Whether there was such a fault.
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

    /// Returns the first fault that affects a request.
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
