internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens
internal import LockstepVerifier
internal import LockstepVerifierTestSupport

/// Calls verifiers with signed tokens whose claims no backend writes, and with responses about keys and sessions that no backend
/// sends.
///
/// It checks how each call ends: with a session of possible times or a `TokenError`, and without the token in the error.
package struct VerifierRun: FuzzedReader {
    let kind = "verifier"
    private let provider: String
    private let target: VerifierTarget
    private let responseTimeout: Duration

    ///
    /// - Parameters:
    ///   - provider: One of ``FuzzRun/providers``.
    ///   - responseTimeout: How long a call may take; a busy machine needs more of it.
    /// - Throws: An error if the provider is unknown or its server does not start.
    package init(_ provider: String, responseTimeout: Duration = .seconds(20)) async throws {
        self.provider = provider
        self.responseTimeout = responseTimeout
        target = try await VerifierTarget.of(provider)
    }

    /// Makes this many calls, all of which depend only on the seed.
    package func call(_ count: Int, seed: UInt64) async throws -> FuzzFindings {
        let dice = Dice(seed: seed)
        var findings = FuzzFindings()
        let system = SystemClock()
        while findings.requests < count, findings.all.count < 20 {
            let clock = FleetingClock()
            let backend = try target.backend(clock)
            let isHonest = dice.hits(oneIn: 2)
            let transport: any HTTPTransport = isHonest ? backend : HostileTransport(target.recorded, dice: dice)
            var verifier = try target.verifier(transport, check(dice), clock)
            if dice.hits(oneIn: 3) {
                verifier = SessionVerifier(try target.verifier(transport, .untilExpiry, clock), or: verifier)
            }
            for _ in 0..<6 {
                let token = try token(backend, dice)
                let begin = system.uptime
                var faults: [String] = []
                do throws(TokenError) {
                    faults += Self.faults(of: try await verifier.verify(token), at: clock.now)
                    findings.count(200)
                } catch {
                    findings.count(400)
                    let start = token.reveal().prefix(20)
                    if start.utf8.count >= 20, "\(error)".contains(start) { faults.append("the error shows the token") }
                }
                if system.uptime - begin > responseTimeout { faults.append("it took \(system.uptime - begin)") }
                for fault in faults {
                    findings.note(provider, seed, findings.requests, "verifier: \(fault)", "--readers --seed \(seed)")
                }
                if dice.hits(oneIn: 3) { clock.advance(by: .seconds(dice.pick([1, 31, 601, 86_400]))) }
            }
        }
        return findings
    }

    private func check(_ dice: Dice) -> SessionVerifier.Check {
        switch dice.roll(3) {
        case 0: .untilExpiry
        case 1: .session(key: "canary-key")
        default: .session(key: "canary-key", keptFor: dice.pick([.seconds(10), .seconds(Int64.max / 2), .milliseconds(1)]))
        }
    }

    /// A token that the backend signed, with claims that it would not write.
    private func token(_ backend: TestBackend, _ dice: Dice) throws -> Secret {
        var user = TestUser("user-1", email: "canary@example.com")
        if dice.hits(oneIn: 2) {
            let mutation = JSONMutation(dice: dice)
            var claims = JSON.object(try UnverifiedToken(backend.token(for: user).reveal()).claims)
            for _ in 0..<(1 + dice.roll(4)) { claims = mutation.mutated(claims) }
            user.claims = claims.object ?? [:]
        }
        let token = try backend.token(for: user)
        guard dice.hits(oneIn: 12) else { return token }
        return Secret(TextMutation(dice: dice).mutated(token.reveal()))
    }

    private static func faults(of session: VerifiedSession, at now: Instant) -> [String] {
        var faults: [String] = []
        let calendar = Instant(seconds: 0)..<Instant(seconds: 253_402_300_800)
        if let time = session.signedInAt, !calendar.contains(time) { faults.append("a sign-in at \(time.milliseconds)") }
        if !calendar.contains(session.expiresAt) || session.expiresAt + .seconds(6) < now {
            faults.append("an end at \(session.expiresAt.milliseconds)")
        }
        if session.userID.isEmpty { faults.append("a session without a user") }
        _ = session.signedInAt.map { now - $0 }
        return faults
    }
}
