// Exports the types of times, so that a test with a clock of this module can use them.
@_exported public import LockstepPrimitives
internal import Synchronization

/// A clock that a test can move and stop, so that the test does not have to wait.
///
/// The clock follows its base clock, and ``advance(by:)`` adds time. A sleeping task wakes up when this clock reaches
/// its time, even if the test has advanced the clock. While the clock is stopped, only ``advance(by:)`` moves it.
///
/// ```swift
/// let clock = ManualClock(base: SystemClock())
/// let backend = InMemoryBackend(clock: clock)
/// clock.advance(by: .seconds(24 * 3600))       // a day later, access tokens have expired
/// ```
public final class ManualClock: DeviceClock {
    fileprivate struct Sleeper {
        let continuation: CheckedContinuation<Void, Never>
        /// The value of ``State/elapsed(_:)`` at which the sleeper wakes up.
        ///
        /// It includes real time and moves.
        let end: Duration
    }

    fileprivate struct State {
        var wallOffset: Duration = .zero
        var uptimeOffset: Duration = .zero
        /// The sum of all moves: the time that sleepers need not wait.
        var moved: Duration = .zero
        var bootID: String
        /// The time of the base clock when this clock was stopped; `nil` while it runs.
        var stopped: (now: Instant, uptime: Duration)?
        /// The total time of earlier stops, without the current stop.
        var paused: Duration = .zero
        /// A counter of moves, stops and starts.
        ///
        /// After each of them, sleepers must read the clock again.
        var changes = 0
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []

        /// Returns the time that has passed for sleepers: the moves, and the real time while the clock ran.
        func elapsed(_ base: any DeviceClock) -> Duration { (stopped?.uptime ?? base.uptime) - paused + moved }

        /// Removes and returns the sleepers, so that they can be woken outside the lock.
        ///
        /// After waking up, they read the clock again.
        mutating func wake() -> [Sleeper] {
            changes += 1
            defer { sleepers = [:] }
            return Array(sleepers.values)
        }
    }

    private let base: any DeviceClock
    private let state: Mutex<State>

    /// Creates a clock that shows the time of its base clock until a test moves it.
    ///
    /// - Parameter base: The clock to follow.
    public init(base: any DeviceClock) {
        self.base = base
        self.state = Mutex(State(bootID: base.bootID))
    }

    /// The wall-clock time on this clock.
    public var now: Instant { state.withLock { ($0.stopped?.now ?? base.now) + $0.wallOffset } }

    /// The time since the machine started, on this clock.
    public var uptime: Duration { state.withLock { ($0.stopped?.uptime ?? base.uptime) + $0.uptimeOffset } }

    /// The id of the machine's last start.
    ///
    /// ``reboot()`` changes it.
    public var bootID: String { state.withLock { $0.bootID } }

    /// The id of the machine, as the base clock shows it.
    public var hostID: String? { base.hostID }

    /// The difference between the wall-clock times of this clock and the base clock; negative if this clock is behind.
    public var offset: Duration {
        state.withLock { state in (state.stopped.map { $0.now - base.now } ?? .zero) + state.wallOffset }
    }

    /// Whether the clock is stopped.
    public var isStopped: Bool { state.withLock { $0.stopped != nil } }

    /// Moves the wall clock and the uptime forward.
    ///
    /// If the waiting time of a task is over, the task wakes up.
    public func advance(by duration: Duration) {
        change { state in
            state.wallOffset += duration
            state.uptimeOffset += duration
            state.moved += duration
        }
    }

    /// Stops the clock, so that only ``advance(by:)`` moves it.
    public func stop() {
        change { state in
            if state.stopped == nil { state.stopped = (base.now, base.uptime) }
        }
    }

    /// Lets a stopped clock continue from the time at which it stopped.
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

    /// The remaining times of all tasks that wait on this clock, in no particular order.
    public var sleeps: [Duration] {
        state.withLock { state in
            let elapsed = state.elapsed(base)
            return state.sleepers.values.map { $0.end - elapsed }
        }
    }

    /// Moves only the wall clock, as if a user had changed the machine's date and time.
    ///
    /// No time passes, so no sleeping task wakes up.
    ///
    /// - Parameter duration: The duration by which to move the wall clock; negative to move it back.
    public func shiftWall(by duration: Duration) {
        state.withLock { $0.wallOffset += duration }
    }

    /// Simulates a restart of the machine, which sets the uptime to zero and changes the boot id.
    public func reboot() {
        state.withLock { state in
            state.uptimeOffset = .zero - (state.stopped?.uptime ?? base.uptime)
            state.bootID += "+"
        }
    }

    /// Waits until the duration has passed on this clock.
    ///
    /// - Parameter duration: The time to wait.
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

    /// Waits until the clock is moved, stopped or started after the given change, or until the task is cancelled.
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
