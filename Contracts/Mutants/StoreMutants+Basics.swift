internal import Lockstep
internal import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreMutants {
    static let basics: [StoreMutant] = [
        StoreMutant("store.empty", "throws") { faulty, _ in
            faulty.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key) else { throw StoreError(.unreadable, "There is no value.") }
                return value
            }
        },
        StoreMutant("store.round-trip", "drops unknown fields") { faulty, _ in
            faulty.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key), value.bytes.starts(with: #"{"version":9"#.utf8) else {
                    return try await base.load(key)
                }
                return StoredValue(bytes: Array(#"{"version":9}"#.utf8), revision: value.revision)
            }
        },
        StoreMutant("store.replace-if-unchanged", "replaces a newer value") { faulty, _ in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                do throws(StoreError) {
                    return try await base.replace(key, with: bytes, unlessChangedSince: revision)
                } catch  where error.code == .conflict {
                    return try await base.replace(key, with: bytes, unlessChangedSince: try await base.load(key)?.revision)
                }
            }
        },
        StoreMutant("store.remove", "leaves a copy of the value") { faulty, _ in
            faulty.onRemove = { base, key async throws(StoreError) in
                if let value = try await base.load(key) {
                    let copy = StoreKey(provider: key.provider, backend: key.backend, slot: .revocations)
                    _ = try await base.replace(copy, with: value.bytes, unlessChangedSince: try await base.load(copy)?.revision)
                }
                try await base.remove(key)
            }
        },
        StoreMutant("store.remove-if-unchanged", "removes the newer value") { faulty, _ in
            faulty.onRemoveIfUnchanged = { base, key, revision async throws(StoreError) in
                do throws(StoreError) {
                    try await base.remove(key, unlessChangedSince: revision)
                } catch  where error.code == .conflict {
                    try await base.remove(key)
                    throw error
                }
            }
        },
        StoreMutant("store.owners-apart", "returns another user's value") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                if let value = try await base.load(key) { return value }
                return try? await place.open().load(key)
            }
        },
        StoreMutant("store.unreadable-is-not-empty", "returns no value") { faulty, _ in
            faulty.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .unreadable { return nil }
            }
        },
        StoreMutant("store.private", "uses default permissions") { faulty, place in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                let next = try await base.replace(key, with: bytes, unlessChangedSince: revision)
                guard let folder = place.folder else { return next }
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                    try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/\(name)")
                }
                return next
            }
        },
    ]
}
