// A test that names a clock of this module names its times, too.
@_exported public import LockstepPrimitives
internal import Synchronization

/// A clock that runs with another one and can be moved: time passes in a test without waiting for it.
///
/// A task that sleeps on it wakes when the clock has been moved past the end of the sleep, when the time has really passed, or
/// when both together have reached it.
public final class ManualClock: DeviceClock {
    fileprivate struct Sleeper {
        let continuation: CheckedContinuation<Void, Never>
        /// When it has slept enough: real time and moves together.
        let end: Duration
    }

    fileprivate struct State {
        var wallOffset: Duration = .zero
        var uptimeOffset: Duration = .zero
        /// The sum of all moves: the time that sleepers have been spared.
        var moved: Duration = .zero
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

    /// The machine of the clock it runs with.
    public var hostID: String? { base.hostID }

    /// How far the wall clock is ahead of the clock it runs with.
    public var offset: Duration { state.withLock { $0.wallOffset } }

    /// Lets time pass: wall clock and uptime move on together, sleepers whose time has come wake.
    public func advance(by duration: Duration) {
        let sleepers = state.withLock { state in
            state.wallOffset += duration
            state.uptimeOffset += duration
            state.moved += duration
            defer { state.sleepers = [:] }
            return state.sleepers
        }
        // All sleepers check the clock again: those whose time has not come sleep for the rest of it.
        for sleeper in sleepers.values { sleeper.continuation.resume() }
    }

    /// How long each of the tasks that sleep on it now has yet to sleep, in no order.
    public var sleeps: [Duration] {
        let real = base.uptime
        return state.withLock { state in state.sleepers.values.map { $0.end - real - state.moved } }
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
        try Task.checkCancellation()
        let start = base.uptime
        let movedAtStart = state.withLock { $0.moved }
        while true {
            let moved = state.withLock { $0.moved }
            let rest = duration - (base.uptime - start) - (moved - movedAtStart)
            let end = start + movedAtStart + duration
            guard rest > .zero else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.base.sleep(for: rest) }
                group.addTask { await self.waitForMove(since: moved, until: end) }
                defer { group.cancelAll() }
                try await group.next()
            }
            try Task.checkCancellation()
        }
    }

    /// Returns when the clock has been moved since it had been moved by `moved`, or the task is cancelled.
    private func waitForMove(since moved: Duration, until end: Duration) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (sleeper: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.moved != moved { return true }
                    state.sleepers[id] = Sleeper(continuation: sleeper, end: end)
                    return false
                }
                if isOver { sleeper.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume()
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }
}
