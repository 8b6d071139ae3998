internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// Calls clients with malformed responses, links and stored values, and checks how each call ends: with a value or an
/// `AuthError`, in bounded time, without a secret in its events.
///
/// A trap ends the run. The last printed seed reproduces it.
package struct ReaderRun: Sendable {
    private let provider: String
    private let target: ReaderTarget
    private let responseTimeout: Duration

    ///
    /// - Parameters:
    ///   - provider: One of ``FuzzRun/providers``, whose emulator is driven once for genuine answers.
    ///   - responseTimeout: How long a call may take; a busy machine needs more of it.
    /// - Throws: An error if the provider is unknown or its server does not start.
    package init(_ provider: String, responseTimeout: Duration = .seconds(20)) async throws {
        self.provider = provider
        self.responseTimeout = responseTimeout
        target = try await ReaderTarget.of(provider)
    }

    /// Makes this many calls, all of which depend only on the seed.
    package func call(_ count: Int, seed: UInt64) async throws -> FuzzFindings {
        let dice = Dice(seed: seed)
        var findings = FuzzFindings()
        var store = MemorySessionStore(clock: FixedClock())
        while findings.requests < count, findings.all.count < 20 {
            if dice.hits(oneIn: 3) { store = MemorySessionStore(clock: FixedClock()) }
            try await life(on: store, seed, dice, &findings)
        }
        return findings
    }

    /// An app from its launch to its end.
    private func life(_ clock: ManualClock, _ dice: Dice, store: MemorySessionStore, events: AuthEventSink) throws -> ReaderHand {
        let randomness = SeededRandomness(seed: UInt64(dice.roll(1 << 30)))
        let client = AuthClient(
            adapter: try target.adapter(HostileTransport(target.recorded, dice: dice), clock, randomness),
            store: SpoilingStore(base: store, dice: dice, rate: dice.pick([3, 12, 1000])),

            effects: ClientEffects(clock: clock, randomness: randomness, events: events))
        var hand = ReaderHand(client: client, dice: dice)
        hand.links = target.links
        return hand
    }

    private func life(on store: MemorySessionStore, _ seed: UInt64, _ dice: Dice, _ findings: inout FuzzFindings) async throws {
        let clock = ManualClock(base: FixedClock())
        let told = Told()
        let hand = try life(clock, dice, store: store, events: .jsonLines { told.add($0) })
        let system = SystemClock()
        for call in [.restore] + (0..<(1 + dice.roll(8))).map({ _ in dice.pick(ReaderCall.allCases) }) {
            let begin = system.uptime
            var faults: [String] = []
            do throws(AuthError) {
                try await hand.do(call)
                findings.count(200)
                faults += Self.faults(of: hand.client, clock)
            } catch {
                findings.count(400)
                faults += Self.faults(of: error, hand.words, isThorough: dice.hits(oneIn: 8))
            }
            if hand.words.secrets.contains(where: told.take().contains) { faults.append("an event tells a secret") }
            if system.uptime - begin > responseTimeout { faults.append("it took \(system.uptime - begin)") }
            for fault in faults {
                findings.note(provider, seed, findings.requests, "\(call): \(fault)", "--readers --seed \(seed)")
            }
            if dice.hits(oneIn: 6) { clock.advance(by: .seconds(dice.pick([1, 61, 3601, 86_400 * 40]))) }
        }
    }

    private static func faults(of client: AuthClient, _ clock: ManualClock) -> [String] {
        var faults: [String] = []
        if let session = client.state.session {
            let life = session.lifetime
            if life.life < .zero || life.life > TokenLifetime.longest || life.remaining(on: clock) > TokenLifetime.longest {
                faults.append("a token lives \(life.life)")
            }
            if life.expiresAt < life.receivedAt { faults.append("a token ends before it came") }
            _ = (session.user.createdAt ?? clock.now) - clock.now
        }
        if let challenge = client.pending?.challenge {
            for time in [challenge.expiresAt, challenge.resendAvailableAt] { _ = time.map { $0 - clock.now } }
        }
        return faults
    }

    private static func faults(of error: AuthError, _ words: ReaderWords, isThorough: Bool) -> [String] {
        var faults: [String] = []
        if case .after(let wait) = error.retry, wait < .zero || wait > RetryAdvice.longest { faults.append("a wait of \(wait)") }
        var text = "\(error)"
        if isThorough { dump(error, to: &text) }
        if words.secrets.contains(where: text.contains) { faults.append("the error tells a secret: \(error.code)") }
        return faults
    }

    /// The text of the events since the last check.
    private final class Told: Sendable {
        private let text = Mutex("")

        func add(_ line: String) { text.withLock { $0 += line } }

        func take() -> String {
            text.withLock { text in
                defer { text = "" }
                return text
            }
        }
    }
}
