// A test that names a clock of this module names its times, too.
@_exported public import LockstepPrimitives
internal import Synchronization

/// A clock that follows another clock and can be moved and stopped.
///
/// In a test, time passes without waiting.
///
/// A sleeping task wakes up when the time has passed on this clock: by ``advance(by:)``, really, or both together. While
/// the clock is stopped, only ``advance(by:)`` counts.
///
/// ```swift
/// let clock = ManualClock(base: SystemClock())
/// let backend = InMemoryBackend(clock: clock)
/// clock.advance(by: .seconds(24 * 3600))       // a day later, access tokens have expired
/// ```
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

    /// Creates a clock that shows the time of another clock until it is moved.
    ///
    /// - Parameter base: The other clock.
    public init(base: any DeviceClock) {
        self.base = base
        self.state = Mutex(State(bootID: base.bootID))
    }

    /// The wall-clock time, moved.
    public var now: Instant { state.withLock { ($0.stopped?.now ?? base.now) + $0.wallOffset } }

    /// The time since the boot, moved.
    public var uptime: Duration { state.withLock { ($0.stopped?.uptime ?? base.uptime) + $0.uptimeOffset } }

    /// The id of the current boot.
    ///
    /// ``reboot()`` makes a new one.
    public var bootID: String { state.withLock { $0.bootID } }

    /// The machine of the base clock.
    public var hostID: String? { base.hostID }

    /// The difference between this wall clock and the base clock's; positive if this clock is ahead.
    public var offset: Duration {
        state.withLock { state in (state.stopped.map { $0.now - base.now } ?? .zero) + state.wallOffset }
    }

    /// Whether the clock is stopped.
    public var isStopped: Bool { state.withLock { $0.stopped != nil } }

    /// Moves wall clock and uptime forward.
    ///
    /// Tasks whose wait has ended wake up.
    ///
    /// - Parameter duration: The time that passes.
    public func advance(by duration: Duration) {
        change { state in
            state.wallOffset += duration
            state.uptimeOffset += duration
            state.moved += duration
        }
    }

    /// Stops the clock.
    ///
    /// From now on only ``advance(by:)`` moves it.
    public func stop() {
        change { state in
            if state.stopped == nil { state.stopped = (base.now, base.uptime) }
        }
    }

    /// Starts a stopped clock again, at the time where it stopped.
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

    /// Shifts the wall clock without time passing, as if a user set the clock.
    ///
    /// - Parameter duration: The shift; negative for an earlier time.
    public func shiftWall(by duration: Duration) {
        state.withLock { $0.wallOffset += duration }
    }

    /// Simulates a restart of the machine: uptime begins at zero, with a new boot id.
    public func reboot() {
        state.withLock { state in
            state.uptimeOffset = .zero - (state.stopped?.uptime ?? base.uptime)
            state.bootID += "+"
        }
    }

    /// Waits until the moved clock has reached the end of `duration`.
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
