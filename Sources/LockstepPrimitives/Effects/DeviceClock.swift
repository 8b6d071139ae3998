/// What time it is, and how to wait: the only source of time in all modules.
///
/// A wall clock may be wrong and may jump; ``uptime`` never jumps while ``bootID`` stays the same.
public protocol DeviceClock: Sendable {
    /// The wall clock.
    var now: Instant { get }

    /// Time since the machine started, time asleep included.
    var uptime: Duration { get }

    /// Names the current start of the machine: two values of ``uptime`` compare only under the same id.
    var bootID: String { get }

    /// Names the machine, as far as it is known: another one's measurements cannot have been interrupted by a restart of this
    /// one.
    var hostID: String? { get }

    /// Returns when `duration` has passed on this clock.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

extension DeviceClock {
    /// A machine that cannot be distinguished from others.
    public var hostID: String? { nil }
}
