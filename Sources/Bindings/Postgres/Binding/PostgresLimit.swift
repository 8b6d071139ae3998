internal import LockstepPrimitives

/// The end of a call, on a clock.
struct PostgresLimit {
    private let clock: any DeviceClock
    private let end: Duration

    /// Begins now.
    init(_ duration: Duration, on clock: any DeviceClock) {
        self.clock = clock
        end = clock.uptime + duration
    }

    /// What is left of it, never less than nothing.
    var rest: Duration { max(.zero, end - clock.uptime) }
}
