internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// Clerk's rate limits, if the settings turn them on: of the Frontend API for one IP address, and of the Backend API for the
/// instance.
///
/// Source: https://clerk.com/docs/guides/how-clerk-works/system-limits.
final class RateGate: Sendable {
    private let clock: ManualClock
    private let creations: RateLimiter
    private let proofs: RateLimiter
    private let changes: RateLimiter
    private let invitations: [ExactString: RateLimiter]
    /// The limiter of all requests to the Backend API, and the number that it allows in ten seconds.
    private let backend = Mutex<(count: Int, limiter: RateLimiter)?>(nil)

    init(_ clock: ManualClock) {
        self.clock = clock
        creations = RateLimiter(5, per: .seconds(10), clock: clock)
        proofs = RateLimiter(3, per: .seconds(10), clock: clock)
        changes = RateLimiter(10, per: .seconds(10), clock: clock)
        let anHour: [ExactString: Int] = [
            "invitations": 100, "invitations/bulk": 25, "organizations/*/invitations": 250,
            "organizations/*/invitations/bulk": 50,
        ]
        invitations = anHour.mapValues { RateLimiter($0, per: .seconds(3600), clock: clock) }
    }

    /// Returns the error for a request to the Frontend API that comes too soon; `nil` if it is allowed.
    func refusal(of request: EmulatorRequest) -> ClerkError? {
        guard request.method == "POST", let wait = limiter(request.rawPath)?.admit(key(of: request)) else { return nil }
        return .tooManyRequests(after: wait)
    }

    /// Returns the error for a request to the Backend API that comes too soon; `nil` if it is allowed.
    ///
    /// - `count`: The number of requests that the instance allows in ten seconds.
    func refusal(ofBackend request: EmulatorRequest, allowing count: Int) -> ClerkError? {
        let parts = request.path.pieces(at: "/").map { String($0) }.drop { $0 == "v1" }
        // The keys have no limit.
        guard parts.first != "jwks" else { return nil }
        let isChange = parts.first == "users" && ["PATCH", "PUT"].contains(request.method)
        if isChange, parts.count == 2 || parts.last == "metadata", let wait = changes.admit(parts[parts.startIndex + 1]) {
            return .tooManyRequests(after: wait)
        }
        if request.method == "POST" {
            let isOfOrganization = parts.first == "organizations" && parts.count > 2
            let path = isOfOrganization ? ["organizations", "*"] + parts.dropFirst(2) : Array(parts)
            if let wait = invitations[path.joined(separator: "/").exact]?.admit("") { return .tooManyRequests(after: wait) }
        }
        let limiter = backend.withLock { known in
            if let known, known.count == count { return known.limiter }
            let limiter = RateLimiter(count, per: .seconds(10), clock: clock)
            known = (count, limiter)
            return limiter
        }
        return limiter.admit("").map { .tooManyRequests(after: $0) }
    }

    func reset() {
        for limiter in [creations, proofs, changes] + invitations.values { limiter.reset() }
        backend.withLock { $0 = nil }
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

extension ClerkError {
    fileprivate static func tooManyRequests(after wait: Duration) -> ClerkError {
        .tooManyRequests(retryAfter: Int((wait.milliseconds + 999) / 1000))
    }
}
