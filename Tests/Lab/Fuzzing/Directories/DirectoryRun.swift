internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepTestSupport

/// Calls directories with responses that no backend should send, and checks how each call ends: with a value or an `AuthError`,
/// in bounded time, about no other user, and without a secret in the error.
package struct DirectoryRun: FuzzedReader {
    let kind = "directory"
    private let provider: String
    private let target: DirectoryTarget
    private let responseTimeout: Duration

    ///
    /// - Parameters:
    ///   - provider: One of ``FuzzRun/providers``, whose emulator is called once for genuine answers.
    ///   - responseTimeout: How long a call may take; a busy machine needs more of it.
    /// - Throws: An error if the provider is unknown or its server does not start.
    package init(_ provider: String, responseTimeout: Duration = .seconds(20)) async throws {
        self.provider = provider
        self.responseTimeout = responseTimeout
        target = try await DirectoryTarget.of(provider)
    }

    /// Makes this many calls, all of which depend only on the seed.
    package func call(_ count: Int, seed: UInt64) async throws -> FuzzFindings {
        let dice = Dice(seed: seed)
        var findings = FuzzFindings()
        let system = SystemClock()
        while findings.requests < count, findings.all.count < 20 {
            let transport = HostileTransport(target.recorded, dice: dice)
            let randomness = SeededRandomness(seed: UInt64(dice.roll(1 << 30)))
            let directory = try target.directory(transport, FleetingClock(), randomness)
            let hand = DirectoryHand(directory: directory, dice: dice, users: target.users)
            for _ in 0..<8 {
                let call = dice.pick(DirectoryCall.allCases)
                let begin = system.uptime
                var faults: [String] = []
                do throws(AuthError) {
                    faults += try await hand.do(call)
                    findings.count(200)
                } catch {
                    findings.count(400)
                    faults += self.faults(of: error)
                }
                if system.uptime - begin > responseTimeout { faults.append("it took \(system.uptime - begin)") }
                for fault in faults {
                    findings.note(provider, seed, findings.requests, "directory, \(call): \(fault)", "--readers --seed \(seed)")
                }
            }
        }
        return findings
    }

    private func faults(of error: AuthError) -> [String] {
        var faults: [String] = []
        if case .after(let wait) = error.retry, wait < .zero || wait > RetryAdvice.longest { faults.append("a wait of \(wait)") }
        let text = "\(error)"
        if (DirectoryHand.secrets + target.secrets).contains(where: text.contains) {
            faults.append("the error shows a secret: \(error.code)")
        }
        return faults
    }
}
