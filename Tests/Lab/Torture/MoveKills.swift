import Lockstep
import LockstepContracts
package import LockstepInMemory
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestSupport
import Synchronization

/// Kills a process repeatedly while it moves a session from one store to another and back.
package struct MoveKills: Sendable {
    /// Only its name and backend matter, because a move sends nothing.
    package static let adapter = InMemoryAdapter(backend: InMemoryBackend(randomness: SeededRandomness(seed: 1)))
    private static let slots: [StoreKey.Slot] = [.session, .flow, .device]

    func run(_ kills: Int) async throws -> Tally {
        let tally = Mutex(Tally())
        try await FileStoreHarness().withPlace { first in
            try await SQLiteStoreHarness().withPlace { second in
                guard let first = first as? any ReachablePlace, let second = second as? any ReachablePlace else { return }
                let (files, database) = (try await first.open(), try await second.open())
                for slot in Self.slots {
                    try await files.replace(Self.key(slot), with: Array(slot.rawValue.utf8), unlessChangedSince: nil)
                }
                for number in 0..<kills {
                    let worker = try WorkerProcess.session(["move"] + first.arguments + second.arguments)
                    for _ in 0..<Chance.below(4) { _ = try await worker.line() }
                    for _ in 0..<Chance.below(1000) { await Task.yield() }
                    await worker.kill()
                    let whole = [try await Self.isWhole(files), try await Self.isWhole(database)]
                    tally.withLock { tally in
                        tally.count("kills")
                        tally.count("in the middle of a move", whole[0] && whole[1] ? 1 : 0)
                        if !whole[0] && !whole[1] { tally.fault("kill \(number): no store has the whole session") }
                    }
                    // No client has used either store since, so the same call completes the move. A preceding call in the other
                    // direction changes nothing.
                    _ = try await Self.adapter.moveSession(from: files, to: database)
                    _ = try await Self.adapter.moveSession(from: database, to: files)
                    let isBack = try await Self.isWhole(files)
                    let left = try await database.keys()
                    guard isBack, left.isEmpty else {
                        return tally.withLock {
                            $0.fault("kill \(number): the next move did not finish; \(left.count) values are left")
                        }
                    }
                }
            }
        }
        return tally.withLock { $0 }
    }

    private static func key(_ slot: StoreKey.Slot) -> StoreKey {
        StoreKey(provider: adapter.name, backend: adapter.backend, slot: slot)
    }

    private static func isWhole(_ store: any SessionStore) async throws -> Bool {
        for slot in slots where try await store.load(key(slot))?.bytes != Array(slot.rawValue.utf8) { return false }
        return true
    }
}
