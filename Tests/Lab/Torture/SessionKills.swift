import Lockstep
import LockstepContracts
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestSupport
import Synchronization

/// Kills a process repeatedly while it signs in, refreshes and signs out, and checks the remaining state.
struct SessionKills: Sendable {
    let harness: any StoreHarness

    func run(_ kills: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            let tally = Mutex(Tally())
            try await harness.withPlace { place in
                guard let place = place as? any ReachablePlace else {
                    return tally.withLock { $0 = Tally(excuse: "no other process can open the place") }
                }
                // The days advance from one kill to the next, on all clocks alike.
                let clock = ManualClock(base: SystemClock())
                for number in 0..<kills {
                    var seen = Tally()
                    try await kill(number, backend, place, clock, &seen)
                    tally.withLock { [seen] in $0.add(seen) }
                    if !seen.faults.isEmpty { return }
                }
            }
            return tally.withLock { $0 }
        }
    }

    private func kill(
        _ number: Int, _ backend: RotatingBackend, _ place: any ReachablePlace, _ clock: ManualClock, _ tally: inout Tally
    ) async throws {
        let worker = try WorkerProcess.session(
            ["sessions", backend.base, String(number), backend.email, backend.password.reveal()] + place.arguments)
        var said: [String] = []
        for _ in 0..<Chance.below(12) {
            guard let line = try await worker.line() else { break }
            said.append(line)
        }
        for _ in 0..<Chance.below(1000) { await Task.yield() }
        await worker.kill()
        while let line = try await worker.line() { said.append(line) }
        tally.count("kills")
        tally.count("refreshes", said.count { $0 == "token" })
        if let complaint = said.first(where: { $0.hasPrefix("failed") }) { tally.fault("kill \(number): a worker \(complaint)") }

        clock.advance(by: .seconds(86_400))
        let client = try backend.client(on: try await place.open(), clock: clock)
        switch await client.restore() {
        case .signedIn:
            // The stored token must still be refreshable: the old one or the new one, complete.
            do throws(AuthError) {
                _ = try await client.accessToken()
                tally.count("signed in")
            } catch  where error.code == .notSignedIn && said.last == "out?" {
                // A database's server still completes the request of a killed process, after the previous check.
                tally.count("signed out")
            } catch {
                tally.fault(
                    "kill \(number) after \(said.suffix(4)): the session that was left is refused: \(error.code.rawValue)")
            }
        case .signedOut(let reason):
            tally.count("signed out")
            let last = said.last ?? "nothing"
            if last == "in" || last == "token" {
                tally.fault("kill \(number) after \(said.suffix(4)): the session is gone (\(reason.rawValue))")
            }
        case let state:
            tally.fault("kill \(number) after \(said.suffix(4)): the state is \(state)")
        }
    }
}

extension Tally {
    /// Adds the counts and findings of another one.
    mutating func add(_ other: Tally) {
        for (what, number) in other.counts { count(what, number) }
        for sentence in other.faults { fault(sentence) }
    }
}
