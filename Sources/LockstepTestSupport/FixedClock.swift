public import LockstepPrimitives

/// A clock on which no time passes.
///
/// Use a fixed clock as the base of a ``ManualClock`` if time must pass only when the test moves the clock.
///
/// ```swift
/// let clock = ManualClock(base: FixedClock())
/// clock.advance(by: .seconds(3600))
/// ```
public struct FixedClock: DeviceClock {
    /// The fixed wall-clock time, which is the same at each read.
    public let now: Instant
    /// The fixed time since the machine started, which is the same at each read.
    public let uptime: Duration
    /// The id of the machine's latest start; ``uptime`` begins at that start.
    public let bootID: String
    /// The id of the machine.
    public let hostID: String?

    /// Creates a clock that always shows the same time.
    ///
    /// - Parameters:
    ///   - now: The wall-clock time.
    ///   - uptime: The time since the machine started.
    ///   - bootID: The id of the start of the machine.
    ///   - hostID: The id of the machine.
    public init(
        now: Instant = Instant(seconds: 1_800_000_000), uptime: Duration = .seconds(5000), bootID: String = "still",
        hostID: String? = "still"
    ) {
        self.now = now
        self.uptime = uptime
        self.bootID = bootID
        self.hostID = hostID
    }

    /// Waits until the task is cancelled, because no time passes on this clock.
    ///
    /// - Parameter duration: The time to wait, which never passes.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let (never, _) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        throw CancellationError()
    }
}
