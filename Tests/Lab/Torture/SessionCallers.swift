import Lockstep
import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport

/// Lets many callers ask one client for a token at the moment in which its session expires.
struct SessionCallers: Sendable {
    /// So many callers must cost little time, and no memory that stays.
    static let crowd = 10_000
    private static let rounds = 40
    private static let longest = Duration.milliseconds(50)
    private static let growth = 8 << 20

    func run(_ callers: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            var tally = Tally()
            let clock = ManualClock(base: SystemClock())
            let client = try backend.client(on: MemorySessionStore(), clock: clock)
            _ = try await client.signIn(with: .password(email: backend.email, password: backend.password))
            var (alone, together): ([Duration], [Duration]) = ([], [])
            var resident: [Int] = []
            // A smaller number of callers runs as one test among others, which also use time and memory.
            for _ in 0..<(callers < Self.crowd ? 2 : Self.rounds) {
                alone.append(try await round(1, client, clock, backend, &tally))
                together.append(try await round(callers, client, clock, backend, &tally))
                if let bytes = CurrentProcess.residentMemory { resident.append(bytes) }
            }
            guard callers >= Self.crowd else { return tally }
            // The fastest rounds, because the others also contain the machine's other work.
            let (refresh, all) = (alone.min() ?? .zero, together.min() ?? .zero)
            tally.count("µs for a refresh alone", Int(refresh.microseconds))
            tally.count("µs above it for all", Int((all - refresh).microseconds))
            tally.count("µs above it in the median round", Int((together.median - alone.median).microseconds))
            if all - refresh > Self.longest { tally.fault("the callers cost \(all - refresh) above the refresh itself") }
            if let last = resident.last {
                let half = resident[Self.rounds / 2]
                tally.count("KiB resident after \(Self.rounds / 2 + 1) rounds", half >> 10)
                tally.count("KiB resident after \(Self.rounds)", last >> 10)
                if last - half > Self.growth { tally.fault("\(last - half) bytes more are resident") }
            }
            return tally
        }
    }

    /// - Returns: The time until all callers were served.
    private func round(
        _ callers: Int, _ client: AuthClient, _ clock: ManualClock, _ backend: RotatingBackend, _ tally: inout Tally
    ) async throws -> Duration {
        backend.outliveTokens()
        clock.advance(by: RotatingBackend.longerThanALife)
        let requests = backend.server.panel.transcript.count
        let start = clock.uptime
        // Separate tasks, because a group takes longer to release ten thousand children than the measured work.
        let calls = (0..<callers).map { _ in Task { try? await client.accessToken() } }
        var tokens: Set<Secret> = []
        var served = 0
        for call in calls {
            guard let token = await call.value else { continue }
            tokens.insert(token)
            served += 1
        }
        let time = clock.uptime - start
        let asked = backend.server.panel.transcript.count - requests
        tally.count("served", served)
        tally.count("requests", asked)
        if served != callers { tally.fault("\(callers - served) of \(callers) callers were not served") }
        if asked != 1 || tokens.count != 1 { tally.fault("\(asked) requests gave \(tokens.count) tokens") }
        return time
    }
}

extension [Duration] {
    fileprivate var median: Duration { sorted()[count / 2] }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
