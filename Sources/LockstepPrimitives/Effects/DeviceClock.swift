/// The only source of time in all modules: it reads the time and waits.
///
/// A wall clock may be wrong and may jump. ``uptime`` never jumps as long as ``bootID`` stays the same.
public protocol DeviceClock: Sendable {
    /// The wall-clock time.
    var now: Instant { get }

    /// Time since the machine started, including time asleep.
    var uptime: Duration { get }

    /// Identifies the current boot of the machine.
    ///
    /// Two values of ``uptime`` are comparable only if their boot ids are equal.
    var bootID: String { get }

    /// Identifies the machine, if known.
    ///
    /// A measurement from another machine cannot have been interrupted by a restart of this one.
    var hostID: String? { get }

    /// Waits until `duration` has passed on this clock.
    ///
    /// - Parameter duration: The time to wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension DeviceClock {
    /// Default: `nil`, the machine is not identified.
    public var hostID: String? { nil }
}
