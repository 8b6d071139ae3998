// A test that names a clock of this module names its times, too.
@_exported public import LockstepPrimitives
internal import Synchronization

/// A clock that runs with another one and can be moved and stopped: time passes in a test without waiting for it.
///
/// A task that sleeps on it wakes when the clock has been moved past the end of the sleep, when the time has really passed, or
/// when both together have reached it; time that passes while the clock is stopped does not count.
public final class ManualClock: DeviceClock {
    fileprivate struct Sleeper {
        let continuation: CheckedContinuation<Void, Never>
        /// When it has slept enough: real time and moves together, by ``State/elapsed(_:)``.
        let end: Duration
    }

    fileprivate struct State {
        var wallOffset: Duration = .zero
        var uptimeOffset: Duration = .zero
        /// The sum of all moves: the time that sleepers have been spared.
        var moved: Duration = .zero
        var bootID: String
        /// What the base showed when the clock was stopped; `nil` while it runs.
        var stopped: (now: Instant, uptime: Duration)?
        /// How long it has been stopped, without the stop that lasts.
        var paused: Duration = .zero
        /// Counts what a sleeper must look at: moves, stops and starts.
        var changes = 0
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []

        /// The time that has counted for sleepers: moves, and the real time for which the clock ran.
        func elapsed(_ base: any DeviceClock) -> Duration { (stopped?.uptime ?? base.uptime) - paused + moved }

        /// Those who sleep, to be woken behind the lock: they look at the clock again, and sleep for the rest of their time.
        mutating func wake() -> [Sleeper] {
            changes += 1
            defer { sleepers = [:] }
            return Array(sleepers.values)
        }
    }

    private let base: any DeviceClock
    private let state: Mutex<State>

    /// A clock that shows what `base` shows until it is moved.
    public init(base: any DeviceClock) {
        self.base = base
        self.state = Mutex(State(bootID: base.bootID))
    }

    /// The wall clock, moved.
    public var now: Instant { state.withLock { ($0.stopped?.now ?? base.now) + $0.wallOffset } }

    /// The time since start, moved.
    public var uptime: Duration { state.withLock { ($0.stopped?.uptime ?? base.uptime) + $0.uptimeOffset } }

    /// The current start of the machine; ``reboot()`` makes a new one.
    public var bootID: String { state.withLock { $0.bootID } }

    /// The machine of the clock it runs with.
    public var hostID: String? { base.hostID }

    /// How far the wall clock is ahead of the clock it runs with.
    public var offset: Duration {
        state.withLock { state in (state.stopped.map { $0.now - base.now } ?? .zero) + state.wallOffset }
    }

    /// Whether it stands still until it is moved, or runs again.
    public var isStopped: Bool { state.withLock { $0.stopped != nil } }

    /// Lets time pass: wall clock and uptime move on together, sleepers whose time has come wake.
    public func advance(by duration: Duration) {
        change { state in
            state.wallOffset += duration
            state.uptimeOffset += duration
            state.moved += duration
        }
    }

    /// Stops the clock where it stands: from here on it only moves when it is moved.
    public func stop() {
        change { state in
            if state.stopped == nil { state.stopped = (base.now, base.uptime) }
        }
    }

    /// Lets a stopped clock run on from where it stands.
    public func run() {
        change { state in
            guard let stopped = state.stopped else { return }
            let passed = base.uptime - stopped.uptime
            state.stopped = nil
            state.paused += passed
            state.uptimeOffset -= passed
            state.wallOffset -= base.now - stopped.now
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let sleepers = state.withLock { state in
            body(&state)
            return state.wake()
        }
        for sleeper in sleepers { sleeper.continuation.resume() }
    }

    /// How long each of the tasks that sleep on it now has yet to sleep, in no order.
    public var sleeps: [Duration] {
        state.withLock { state in
            let elapsed = state.elapsed(base)
            return state.sleepers.values.map { $0.end - elapsed }
        }
    }

    /// Sets the wall clock wrong (or right) by `duration` without time passing.
    public func shiftWall(by duration: Duration) {
        state.withLock { $0.wallOffset += duration }
    }

    /// Starts the machine anew: uptime begins at zero, under a new boot id.
    public func reboot() {
        state.withLock { state in
            state.uptimeOffset = .zero - (state.stopped?.uptime ?? base.uptime)
            state.bootID += "+"
        }
    }

    /// Returns when the moved clock has reached the end of `duration`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let end = state.withLock { $0.elapsed(base) } + duration
        while true {
            let (rest, changes, isStopped) = state.withLock { (end - $0.elapsed(base), $0.changes, $0.stopped != nil) }
            guard rest > .zero else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                if !isStopped { group.addTask { try await self.base.sleep(for: rest) } }
                group.addTask { await self.waitForChange(since: changes, until: end) }
                defer { group.cancelAll() }
                try await group.next()
            }
            try Task.checkCancellation()
        }
    }

    /// Returns when the clock has been moved, stopped or started since `changes` were counted, or the task is cancelled.
    private func waitForChange(since changes: Int, until end: Duration) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (sleeper: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.changes != changes { return true }
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
