import Lockstep
import LockstepContracts
import LockstepEmulation
import LockstepPrimitives
import LockstepStoreHarnesses
import Synchronization

/// Kills a process repeatedly while it signs in over its session, and counts the sessions that the next launch leaves on the
/// backend.
///
/// Every other kill comes while the backend has the request that ends the old session and has not answered it. Then the new
/// session is stored, and the old one is still valid. The other kills come at any moment.
struct ReplacedKills: Sendable {
    let harness: any StoreHarness

    func run(_ kills: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            let tally = Mutex(Tally())
            try await harness.withPlace { place in
                guard let place = place as? any ReachablePlace else {
                    return tally.withLock { $0 = Tally(excuse: "no other process can open the place") }
                }
                // The sign-up's session is on no device.
                let client = try backend.client(on: try await place.open())
                _ = try await client.signIn(with: .password(email: backend.email, password: backend.password))
                try await client.signOut(.others)
                for number in 0..<kills {
                    var seen = Tally()
                    try await kill(number, backend, place, &seen)
                    tally.withLock { [seen] in $0.add(seen) }
                    if !seen.faults.isEmpty { return }
                }
            }
            return tally.withLock { $0 }
        }
    }

    private func kill(
        _ number: Int, _ backend: RotatingBackend, _ place: any ReachablePlace, _ tally: inout Tally
    ) async throws {
        let end = number.isMultiple(of: 2) ? try backend.server.panel.fail(next: 1, "POST", "/logout", with: .hold) : nil
        defer { end?.release() }
        let worker = try WorkerProcess.session(
            ["replaced", backend.base, backend.email, backend.password.reveal()] + place.arguments)
        var said: [String] = []
        if let end {
            await end.waitUntilTriggered(1)
        } else {
            for _ in 0..<Chance.below(12) {
                guard let line = try await worker.line() else { break }
                said.append(line)
            }
            for _ in 0..<Chance.below(1000) { await Task.yield() }
        }
        await worker.kill()
        while let line = try await worker.line() { said.append(line) }
        tally.count("kills")
        if let complaint = said.first(where: { $0.hasPrefix("failed") }) { tally.fault("kill \(number): a worker \(complaint)") }

        let left = try await backend.countSessions()
        let client = try backend.client(on: try await place.open())
        let state = await client.restore()
        await client.settle()
        let alive = try await backend.countSessions()
        if left > alive { tally.count("old sessions that the next launch ended", left - alive) }
        guard case .signedIn = state else {
            return tally.fault("kill \(number) after \(said.suffix(4)): the state is \(state)")
        }
        // A sign-in whose response was not stored is a session that no device knows.
        let unknown = said.last == "in?" ? 1 : 0
        if !(1...(1 + unknown)).contains(alive) {
            tally.fault("kill \(number) after \(said.suffix(4)): after the next launch the user has \(alive) sessions")
        }
        do throws(AuthError) {
            _ = try await client.refreshUser()
            try await client.signOut(.others)
        } catch {
            tally.fault("kill \(number) after \(said.suffix(4)): the session that was left is refused: \(error.code.rawValue)")
        }
    }
}
