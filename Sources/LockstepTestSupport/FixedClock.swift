public import LockstepPrimitives

/// A clock that stands still: under a ``ManualClock`` time passes only when that is moved.
public struct FixedClock: DeviceClock {
    /// The wall clock.
    public let now: Instant
    /// The time since start.
    public let uptime: Duration
    /// The start that ``uptime`` counts from.
    public let bootID: String
    /// The machine.
    public let hostID: String?

    /// A clock that shows this for ever.
    public init(
        now: Instant = Instant(seconds: 1_800_000_000), uptime: Duration = .seconds(5000), bootID: String = "still",
        hostID: String? = "still"
    ) {
        self.now = now
        self.uptime = uptime
        self.bootID = bootID
        self.hostID = hostID
    }

    /// Never returns: no time passes here.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let (never, _) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        throw CancellationError()
    }
}
