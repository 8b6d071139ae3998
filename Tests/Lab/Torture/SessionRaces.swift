import Lockstep
import LockstepContracts
import LockstepEmulation
import LockstepPrimitives
import LockstepStoreHarnesses
import Synchronization

/// Lets two processes find one session expired at the same moment, repeatedly, on a backend whose refresh tokens work once.
struct SessionRaces: Sendable {
    let harness: any StoreHarness

    func run(_ races: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            let tally = Mutex(Tally())
            try await harness.withPlace { place in
                guard let place = place as? any ReachablePlace else {
                    return tally.withLock { $0 = Tally(excuse: "no other process can open the place") }
                }
                let seen = try await race(races, backend, place)
                tally.withLock { $0 = seen }
            }
            return tally.withLock { $0 }
        }
    }

    private func race(_ races: Int, _ backend: RotatingBackend, _ place: any ReachablePlace) async throws -> Tally {
        var tally = Tally()
        let client = try backend.client(on: try await place.open())
        _ = try await client.signIn(with: .password(email: backend.email, password: backend.password))
        let sessions = try await backend.countSessions()
        let racers = try (0..<2).map { _ in
            try WorkerProcess.session(["race", backend.base] + place.arguments)
        }
        for racer in racers {
            guard try await racer.line() == "ready" else { return Tally(faults: ["a process does not start"]) }
        }
        var last = try await client.accessToken().reveal()
        for number in 1...races {
            let requests = backend.server.panel.transcript.count
            backend.outliveTokens()
            for racer in racers { try await racer.tell(String(RotatingBackend.longerThanALife.milliseconds / 1000)) }
            var said: [[String]] = []
            for racer in racers { said.append((try await racer.line() ?? "ended").split(separator: " ").map(String.init)) }
            tally.count("races")
            for (racer, words) in said.enumerated() { tally.count("won by process \(racer)", words.first == "refreshed" ? 1 : 0) }
            let asked = backend.server.panel.transcript.entries.suffix(backend.server.panel.transcript.count - requests)
            let answers = asked.map { "\($0.request.method) \($0.request.rawPath) \($0.response.status)" }
            guard said.allSatisfy({ $0.count == 2 }), said[0][1] == said[1][1], said[0][1] != last else {
                tally.fault("race \(number): the processes have \(said.map(\.first)), not one new token; \(answers)")
                return tally
            }
            guard said.count(where: { $0[0] == "refreshed" }) == 1, asked.count == 1, asked.first?.response.status == 200 else {
                tally.fault("race \(number): \(said.map(\.first)), and the backend was asked \(answers)")
                return tally
            }
            last = said[0][1]
        }
        let families = try await backend.countSessions() - sessions + 1
        tally.count("family of tokens", families)
        if families != 1 { tally.fault("the backend has \(families) families") }
        return tally
    }
}
