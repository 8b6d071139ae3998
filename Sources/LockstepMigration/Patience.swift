internal import Lockstep
internal import LockstepPrimitives

/// The waits of a run after temporary failures.
///
/// Each wait is twice as long as the previous wait, with a random part.
///
/// All calls of a run share one budget until the run makes progress again.
struct Patience: Sendable {
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private let tellsWait: @Sendable (Duration) -> Void
    private var failures = 0

    /// The number of consecutive failures after which the run stops.
    static let limit = 8

    /// The longest wait that a backend can ask for.
    ///
    /// A backend that asks for more stops the run, which can continue later.
    static let longest = Duration.seconds(300)

    init(_ move: UserMove) {
        clock = move.clock
        randomness = move.randomness
        tellsWait = move.tellsWait
    }

    /// Resets the budget after progress.
    mutating func renew() { failures = 0 }

    /// Waits before the next attempt.
    ///
    /// - Throws: `stopped` if the failure is permanent, after too many consecutive failures, or if the backend asks for too long a
    ///   wait; `cancelled`.
    mutating func wait(after error: AuthError, _ occasion: String) async throws(MigrationError) {
        failures += 1
        guard error.code != .cancelled, !Task.isCancelled else { throw UserMove.cancelled }
        guard error.mayPass, failures < Self.limit else { throw .stopped(error, occasion) }
        let base = min(Int64(100) << Int64(failures), 10_000)
        let jitter = Int64(randomness.bytes(1)[0]) * base / 256
        var wait = Duration.milliseconds(base / 2 + jitter / 2)
        if case .after(let asked) = error.retry {
            guard asked <= Self.longest else { throw .stopped(error, occasion, wait: asked) }
            wait = max(wait, asked)
            if asked >= .seconds(10) { tellsWait(asked) }
        }
        do {
            try await clock.sleep(for: wait)
        } catch {
            throw UserMove.cancelled
        }
    }
}

extension AuthError {
    /// Whether the same request may succeed later: the connection failed, the server was overloaded, or a response was malformed.
    var mayPass: Bool {
        [.network, .timedOut, .tooManyRequests, .serverUnavailable, .invalidResponse].contains(code)
            || (provider?.status).map { $0 >= 500 } == true
    }
}
