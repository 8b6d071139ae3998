import Lockstep
import LockstepContracts
import LockstepEmulation
import LockstepPrimitives
import LockstepStoreHarnesses
import Synchronization

/// Lets one of two processes wait twenty seconds for its refresh, repeatedly, and checks the other one.
///
/// The seconds pass on the processes' own clocks.
struct SlowRefreshes: Sendable {
    let harness: any StoreHarness

    func run(_ rounds: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            let tally = Mutex(Tally())
            try await harness.withPlace { place in
                guard let place = place as? any ReachablePlace else {
                    return tally.withLock { $0 = Tally(excuse: "no other process can open the place") }
                }
                let seen = try await wait(rounds, backend, place)
                tally.withLock { $0 = seen }
            }
            return tally.withLock { $0 }
        }
    }

    private func wait(_ rounds: Int, _ backend: RotatingBackend, _ place: any ReachablePlace) async throws -> Tally {
        var tally = Tally()
        let client = try backend.client(on: try await place.open())
        _ = try await client.signIn(with: .password(email: backend.email, password: backend.password))
        let processes = try (0..<2).map { _ in
            try WorkerProcess.session(["race", backend.base] + place.arguments)
        }
        for process in processes {
            guard try await process.line() == "ready" else { return Tally(faults: ["a process does not start"]) }
        }
        for number in 1...rounds {
            let slow = try backend.server.panel.fail(next: 1, "POST", "/token", with: .hold)
            backend.outliveTokens()
            for process in processes { try await process.tell(String(RotatingBackend.longerThanALife.milliseconds / 1000)) }
            await slow.waitUntilTriggered(1)
            var early: [String] = []
            for _ in 0..<5 {
                for process in processes {
                    try await process.tell("+4")
                    let line = try await process.line() ?? "ended"
                    if line != "passed" { early.append(line) }
                }
            }
            slow.release()
            guard early.isEmpty else {
                tally.fault("round \(number): while one process waited for the backend the other one \(early)")
                return tally
            }
            var said: [[String]] = []
            for process in processes { said.append((try await process.line() ?? "ended").split(separator: " ").map(String.init)) }
            tally.count("slow refreshes")
            guard said.allSatisfy({ $0.count == 2 }), said[0][1] == said[1][1], said.count(where: { $0[0] == "refreshed" }) == 1
            else {
                tally.fault("round \(number): the processes have \(said.map(\.first)), not one new token")
                return tally
            }
        }
        return tally
    }
}
