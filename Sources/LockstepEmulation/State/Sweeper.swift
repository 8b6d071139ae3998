internal import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// Deletes expired data of an emulator from time to time.
///
/// The first request starts the work. A later request starts the work again if ten minutes have passed on the backend's clock.
public final class Sweeper: Sendable {
    /// The time for which expired data is kept.
    ///
    /// So a late request gets the error "expired" and not "unknown". Expired data is kept for one day, as in GoTrue
    /// (`internal/models/cleanup.go`).
    public static let grace = Duration.seconds(86_400)

    private static let interval = Duration.seconds(600)

    private let clock: ManualClock
    private let remove: @Sendable (Instant) throws -> Void
    private let last = Mutex<Instant?>(nil)

    /// Creates a sweeper.
    ///
    /// - Parameters:
    ///   - clock: The backend's clock.
    ///   - remove: Deletes the data that expired before the given time.
    init(clock: ManualClock, remove: @escaping @Sendable (Instant) throws -> Void) {
        self.clock = clock
        self.remove = remove
    }

    /// Deletes expired data, unless it was deleted recently.
    ///
    /// Data that cannot be deleted now is deleted the next time.
    func sweepIfDue() {
        let now = clock.now
        let isDue = last.withLock { last in
            // A reset sets the clock back.
            if let last, now >= last, now - last < Self.interval { return false }
            last = now
            return true
        }
        if isDue { try? remove(now - Self.grace) }
    }
}
