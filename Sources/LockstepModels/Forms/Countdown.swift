public import Lockstep
public import Observation

/// A countdown of whole seconds until a point in time, for a screen.
///
/// The countdown updates once a second while ``watch()`` runs. After the device has slept, or after its clock was
/// changed, the next update shows the right number. A screen keeps one countdown for its whole step. If the message is
/// sent again, the same countdown starts again.
///
/// ```swift
/// if let end = challenge.expiresAt {
///     await Countdown(until: end, clock: SystemClock()).watchToEnd()
/// }
/// ```
@MainActor @Observable
public final class Countdown {
    /// The number of remaining seconds, rounded up; zero after the end.
    public private(set) var secondsLeft: Int

    /// The time left now.
    typealias TimeLeft = @MainActor () -> Duration

    private let clock: any DeviceClock
    @ObservationIgnored private var left: TimeLeft
    @ObservationIgnored private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    @ObservationIgnored private var lastWatcher = 0

    /// Creates a countdown to a point in time on this device's clock, such as ``Challenge/expiresAt``.
    ///
    /// From then on, the countdown measures the time with the device's uptime. So it stays correct when the device's
    /// clock is changed.
    ///
    /// - Parameters:
    ///   - end: The point in time at which the countdown ends.
    ///   - clock: The device's clock.
    public convenience init(until end: Instant, clock: any DeviceClock) {
        self.init(clock: clock, left: Self.left(until: end, clock))
    }

    static func left(until end: Instant, _ clock: any DeviceClock) -> TimeLeft {
        let life = TokenLifetime(life: end - clock.now, clock: clock)
        return { life.remaining(on: clock) }
    }

    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - left: The time left now.
    init(clock: any DeviceClock, left: @escaping TimeLeft) {
        self.clock = clock
        self.left = left
        secondsLeft = Self.wholeSeconds(left())
    }

    /// Whether the countdown has ended.
    public var isOver: Bool { secondsLeft == 0 }

    /// Reads the clock immediately, and updates the number of seconds.
    public func update() {
        let seconds = Self.wholeSeconds(left())
        if seconds != secondsLeft { secondsLeft = seconds }
    }

    /// Starts the countdown again, and updates a visible screen immediately.
    func restart(_ left: @escaping TimeLeft) {
        self.left = left
        update()
        for watcher in watchers.values { watcher.yield() }
    }

    /// Updates the countdown until the task is cancelled.
    ///
    /// When the countdown ends, the method keeps running, because the countdown may start again. Run it while the
    /// screen is visible. In SwiftUI: `.task { await countdown.watch() }`.
    public func watch() async {
        let (beginnings, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = watcher
        defer { watchers[number] = nil }
        watcher.yield()
        for await _ in beginnings { await watchToEnd() }
    }

    /// Updates the countdown until it ends or the task is cancelled.
    public func watchToEnd() async {
        update()
        while !isOver {
            // Waits until the end of the current second, so that a late tick does not delay the next one.
            let rest = left() - .seconds(secondsLeft - 1)
            do { try await clock.sleep(for: rest.clamped(to: .milliseconds(1)...(.seconds(1)))) } catch { return }
            update()
        }
    }

    /// Returns the countdown for the current step.
    ///
    /// If there is already a countdown, its watchers continue.
    ///
    /// - Parameters:
    ///   - countdown: The current countdown.
    ///   - clock: The clock.
    ///   - left: The time left now; `nil` if there is nothing to wait for.
    /// - Returns: The current countdown, restarted, or a new one; `nil` if there is nothing to wait for.
    static func next(
        after countdown: Countdown?, on clock: any DeviceClock, left: TimeLeft?
    ) -> Countdown? {
        guard let left else { return nil }
        guard let countdown else { return Countdown(clock: clock, left: left) }
        countdown.restart(left)
        return countdown
    }

    private static func wholeSeconds(_ left: Duration) -> Int {
        let milliseconds = max(left.milliseconds, 0)
        return Int(clamping: milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1))
    }
}
