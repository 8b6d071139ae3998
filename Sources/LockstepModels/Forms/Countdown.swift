public import Lockstep
public import Observation

/// Whole seconds until a point in time, for a screen.
///
/// It ticks only while ``watch()`` runs, once a second, by the injected clock: asleep or with its clock set anew, the device shows
/// the right number with the next tick.
@MainActor @Observable
public final class Countdown {
    /// Whole seconds left, rounded up; zero when it is over.
    public private(set) var secondsLeft: Int

    private let clock: any DeviceClock
    private let left: @MainActor () -> Duration

    /// A countdown to a point in time by this device's clock, such as ``Challenge/expiresAt``.
    ///
    /// From now on the time is measured without the wall clock, so that setting that changes nothing.
    public convenience init(until end: Instant, clock: any DeviceClock) {
        let life = TokenLifetime(life: end - clock.now, clock: clock)
        self.init(clock: clock) { life.remaining(on: clock) }
    }

    /// - Parameter left: the time left now.
    init(clock: any DeviceClock, left: @escaping @MainActor () -> Duration) {
        self.clock = clock
        self.left = left
        secondsLeft = Self.wholeSeconds(left())
    }

    /// Whether nothing is left.
    public var isOver: Bool { secondsLeft == 0 }

    /// Reads the clock now.
    public func update() {
        let seconds = Self.wholeSeconds(left())
        if seconds != secondsLeft { secondsLeft = seconds }
    }

    /// Ticks until it is over or the task is cancelled: run it while the screen is shown.
    ///
    /// ```swift
    /// Text("\(countdown.secondsLeft)").task { await countdown.watch() }
    /// ```
    public func watch() async {
        update()
        while !isOver {
            // To the end of the running second, so that a tick that came late makes no later one late.
            let rest = left() - .seconds(secondsLeft - 1)
            do { try await clock.sleep(for: rest.clamped(to: .milliseconds(1)...(.seconds(1)))) } catch { return }
            update()
        }
    }

    private static func wholeSeconds(_ left: Duration) -> Int {
        let milliseconds = max(left.milliseconds, 0)
        return Int(clamping: milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1))
    }
}
