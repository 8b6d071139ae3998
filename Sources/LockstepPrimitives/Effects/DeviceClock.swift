/// A clock that all modules use to read the time and to wait.
///
/// An app uses ``SystemClock``, and a test can use another clock. ``now`` may be wrong and may jump. ``uptime`` never
/// jumps as long as ``bootID`` stays the same.
///
/// ```swift
/// let clock: any DeviceClock = SystemClock()
/// let start = clock.uptime
/// try await clock.sleep(for: .milliseconds(100))
/// print(clock.uptime - start)
/// ```
public protocol DeviceClock: Sendable {
    /// The current date and time of the clock.
    var now: Instant { get }

    /// The time since the machine started, including the time during which it slept.
    var uptime: Duration { get }

    /// The id of the machine's last start.
    ///
    /// Two values of ``uptime`` are comparable only if their boot ids are equal.
    var bootID: String { get }

    /// The id of the machine; `nil` if the machine has no id.
    ///
    /// A client uses the id to recognize that another machine has measured a time.
    var hostID: String? { get }

    /// Waits until a time has passed on this clock.
    ///
    /// - Parameter duration: The time to wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension DeviceClock {
    /// Default: `nil`.
    ///
    /// The clock does not identify its machine.
    public var hostID: String? { nil }
}
