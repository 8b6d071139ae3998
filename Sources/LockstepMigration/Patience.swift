internal import Lockstep
internal import LockstepPrimitives

/// The waits of a run after failures that may pass: each is twice as long, with a part that chance decides.
///
/// The budget is one for all that a run does until it makes progress again.
struct Patience: Sendable {
    private let clock: any DeviceClock
    private let randomness: any Randomness
    private var failures = 0

    /// After so many failures in a row the run stops.
    static let limit = 8

    init(_ move: UserMove) {
        clock = move.clock
        randomness = move.randomness
    }

    /// Begins anew: something was done.
    mutating func renew() { failures = 0 }

    /// Waits before the next attempt.
    ///
    /// - Throws: `stopped` if the failure does not pass, or too many came in a row; `cancelled`.
    mutating func wait(after error: AuthError, _ occasion: String) async throws(MigrationError) {
        failures += 1
        guard error.code != .cancelled, !Task.isCancelled else { throw UserMove.cancelled }
        guard error.mayPass, failures < Self.limit else { throw .stopped(error, occasion) }
        let base = min(Int64(100) << Int64(failures), 10_000)
        let jitter = Int64(randomness.bytes(1)[0]) * base / 256
        var wait = Duration.milliseconds(base / 2 + jitter / 2)
        if case .after(let asked) = error.retry { wait = max(wait, asked) }
        do {
            try await clock.sleep(for: wait)
        } catch {
            throw UserMove.cancelled
        }
    }
}

extension AuthError {
    /// Whether the same request may succeed later: the way failed, the server had too much to do, or a response was broken.
    var mayPass: Bool {
        [.network, .timedOut, .tooManyRequests, .serverUnavailable, .invalidResponse].contains(code)
            || (provider?.status).map { $0 >= 500 } == true
    }
}
