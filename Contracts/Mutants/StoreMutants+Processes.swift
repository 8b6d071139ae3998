internal import Lockstep

extension StoreMutants {
    static let processes: [StoreMutant] = [
        StoreMutant("store.whole-or-old", "writes a value in place") { faulty, _ in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard bytes.count > 4096 else { return try await base.replace(key, with: bytes, unlessChangedSince: revision) }
                let half = try await base.replace(key, with: Array(bytes.prefix(bytes.count / 2)), unlessChangedSince: revision)
                // This takes long enough for a kill between the two replaces.
                for _ in 0..<100 { _ = try await base.load(key) }
                return try await base.replace(key, with: bytes, unlessChangedSince: half)
            }
        },
        StoreMutant("store.two-processes", "locks only within a process") { faulty, _ in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard try await base.load(key)?.revision == revision else {
                    throw StoreError(.conflict, "The value has changed.")
                }
                // This takes long enough for another process to write a value. The loop below overwrites that value.
                for _ in 0..<5 { _ = try await base.load(key) }
                for _ in 0..<50 {
                    let current = try await base.load(key)?.revision
                    if let next = try? await base.replace(key, with: bytes, unlessChangedSince: current) { return next }
                }
                return try await base.replace(key, with: bytes, unlessChangedSince: try await base.load(key)?.revision)
            }
        },
        StoreMutant("store.dead-holder", "keeps the lock") { faulty, _ in
            faulty.onEnter = { base, key async throws(StoreError) in
                do throws(StoreError) {
                    try await base.replace(key.held, with: [1], unlessChangedSince: nil)
                } catch  where error.code == .conflict { throw StoreError(.busy, "Another caller holds the lock.") }
            }
            faulty.onLeave = { base, key in try? await base.remove(key.held) }
        },
        StoreMutant("store.waiting-has-deadline", "waits") { faulty, _ in faulty.lockTimeout = .seconds(60) },
        StoreMutant("store.full-disk", "truncates") { faulty, _ in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                guard bytes.count > 100_000 else { return try await base.replace(key, with: bytes, unlessChangedSince: revision) }
                let empty = try await base.replace(key, with: [], unlessChangedSince: revision)
                return try await base.replace(key, with: bytes, unlessChangedSince: empty)
            }
        },
    ]
}

extension StoreKey {
    /// The key of the marker that a caller stores while it has the lock.
    fileprivate var held: StoreKey { StoreKey(provider: provider, backend: backend + "/held", slot: slot) }
}
