internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTestSupport

/// Clerk's rate limits for one IP address, if the settings turn them on: 5 new attempts and 3 verifications in 10
/// seconds.
///
/// Source: https://clerk.com/docs/backend-requests/resources/rate-limits.
final class RateGate: Sendable {
    private let creations: RateLimiter
    private let proofs: RateLimiter

    init(_ clock: ManualClock) {
        creations = RateLimiter(5, per: .seconds(10), clock: clock)
        proofs = RateLimiter(3, per: .seconds(10), clock: clock)
    }

    /// Returns the error for a request that comes too soon; `nil` if it is allowed.
    func refusal(of request: EmulatorRequest) -> ClerkError? {
        guard request.method == "POST", let wait = limiter(request.rawPath)?.admit(key(of: request)) else { return nil }
        return .tooManyRequests(retryAfter: Int((wait.milliseconds + 999) / 1000))
    }

    func reset() {
        creations.reset()
        proofs.reset()
    }

    private func limiter(_ path: String) -> RateLimiter? {
        if path.hasSuffix("/sign_ins") || path.hasSuffix("/sign_ups") { return creations }
        return path.contains("/attempt_") ? proofs : nil
    }

    /// Returns the key under which a request is counted: sign-ins and sign-ups separately, and each kind of
    /// verification separately.
    private func key(of request: EmulatorRequest) -> String {
        "\(request.remoteAddress) \(request.rawPath.pieces(at: "/").last ?? "")"
    }
}
