internal import Synchronization

/// A clock that runs with another one and can be moved by hand: time passes in a test without waiting for it.
///
/// Whoever sleeps on it wakes when it is moved past the end of the sleep, or when the time has really passed.
public final class MovableClock: DeviceClock {
    fileprivate struct Sleeper {
        var deadline: Duration
        var wake: CheckedContinuation<Void, any Error>
    }

    fileprivate struct State {
        var wallOffset: Duration = .zero
        var uptimeOffset: Duration = .zero
        var bootID: String
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let base: any DeviceClock
    private let state: Mutex<State>

    /// A clock that shows what `base` shows until it is moved.
    public init(base: any DeviceClock) {
        self.base = base
        self.state = Mutex(State(bootID: base.bootID))
    }

    /// The wall clock, moved.
    public var now: Instant { base.now + state.withLock { $0.wallOffset } }

    /// The time since start, moved.
    public var uptime: Duration { base.uptime + state.withLock { $0.uptimeOffset } }

    /// The current start of the machine; ``reboot()`` makes a new one.
    public var bootID: String { state.withLock { $0.bootID } }

    /// How far the wall clock is ahead of the clock it runs with.
    public var offset: Duration { state.withLock { $0.wallOffset } }

    /// Lets time pass: wall clock and uptime move on together, sleepers whose time has come wake.
    public func advance(by duration: Duration) {
        let uptime = base.uptime
        let due = state.withLock { state in
            state.wallOffset += duration
            state.uptimeOffset += duration
            return state.takeDue(at: uptime + state.uptimeOffset)
        }
        for wake in due { wake.resume() }
    }

    /// Sets the wall clock wrong (or right) by `duration` without time passing.
    public func shiftWall(by duration: Duration) {
        state.withLock { $0.wallOffset += duration }
    }

    /// Starts the machine anew: uptime begins at zero, under a new boot id.
    public func reboot() {
        let uptime = base.uptime
        state.withLock { state in
            state.uptimeOffset = .zero - uptime
            state.bootID += "+"
        }
    }

    /// Returns when the moved clock has reached the end of `duration`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return try Task.checkCancellation() }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let deadline = uptime + duration
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.base.sleep(for: duration) }
            group.addTask { try await self.park(id, until: deadline) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func park(_ id: Int, until deadline: Duration) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let current = uptime
                let verdict: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= current { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, wake: wake)
                    return nil
                }
                if let verdict { wake.resume(with: verdict) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }
}

extension MovableClock.State {
    fileprivate mutating func takeDue(at uptime: Duration) -> [CheckedContinuation<Void, any Error>] {
        let due = sleepers.filter { $0.value.deadline <= uptime }
        for id in due.keys { sleepers[id] = nil }
        return due.values.map(\.wake)
    }
}
