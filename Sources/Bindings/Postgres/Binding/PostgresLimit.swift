internal import LockstepPrimitives

/// The deadline of a call, on a clock.
struct PostgresLimit {
    private let clock: any DeviceClock
    private let end: Duration

    /// Starts the limit now.
    init(_ duration: Duration, on clock: any DeviceClock) {
        self.clock = clock
        end = clock.uptime + duration
    }

    /// The remaining time, never less than zero.
    var rest: Duration { max(.zero, end - clock.uptime) }
}
