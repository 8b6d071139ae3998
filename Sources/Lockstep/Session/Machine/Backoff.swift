package import LockstepPrimitives

/// When a backend that has failed may be asked again, and the error for callers until then.
///
/// The first failure costs nothing: the next caller may try at once. Then the pauses grow from two seconds to a minute, with up
/// to a quarter more by chance, so that devices that failed together do not come back together; `Retry-After` is kept, up to an
/// hour. A backend that keeps failing is asked ten times in the first five minutes (0, 0, 2, 6, 14, 30, 62, 122, 182, 242
/// seconds).
package struct Backoff: Sendable {
    private var failures = 0
    private var last: (error: AuthError, until: Duration)?

    package init() {}

    /// The error for a caller while it is too early to ask; `nil` when the backend may be asked.
    package func refusal(on clock: any DeviceClock) -> AuthError? {
        guard let last, case let left = last.until - clock.uptime, left > .zero else { return nil }
        var error = last.error
        error.retry = .after(left)
        return error
    }

    mutating func failed(_ error: AuthError, _ effects: Effects) {
        guard error.code != .cancelled else { return }
        failures += 1
        let own = failures == 1 ? .zero : min(.seconds(1 << min(failures - 1, 6)), Self.longest(after: error))
        let chance = Int64(effects.randomness.bytes(1).first ?? 0)
        let asked: Duration = if case .after(let time) = error.retry { min(time, .seconds(3600)) } else { .zero }
        last = (error, effects.clock.uptime + max(asked, own + own * Int(chance) / 1024))
    }

    /// Without a network a long pause spares no backend, and the connection may be back any moment.
    private static func longest(after error: AuthError) -> Duration {
        error.code == .network ? .seconds(4) : .seconds(60)
    }
}
