import LockstepPrimitives

/// A clock that stands still: what a busy machine takes long for happens at one moment all the same.
struct StillClock: DeviceClock {
    let now = Instant(seconds: 1_767_225_600)
    let uptime = Duration.seconds(1)
    let bootID = "still"

    /// Nobody waits on it.
    func sleep(for duration: Duration) async throws { throw CancellationError() }
}
