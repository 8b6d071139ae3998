public import LockstepPrimitives

/// A clock that stands still.
///
/// Under a ``ManualClock``, time passes only when a test moves that clock.
///
/// ```swift
/// let clock = ManualClock(base: FixedClock())
/// clock.advance(by: .seconds(3600))
/// ```
public struct FixedClock: DeviceClock {
    /// The wall clock.
    public let now: Instant
    /// The time since the boot.
    public let uptime: Duration
    /// The boot that ``uptime`` is measured from.
    public let bootID: String
    /// The id of the machine.
    public let hostID: String?

    /// Creates a clock that always shows the same time.
    ///
    /// - Parameters:
    ///   - now: The wall-clock time.
    ///   - uptime: The time since the boot.
    ///   - bootID: The id of the boot.
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

    /// Waits without end, because no time passes on this clock.
    ///
    /// - Parameter duration: The time to wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let (never, _) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        throw CancellationError()
    }
}
