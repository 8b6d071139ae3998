internal import Lockstep
internal import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreSaboteur {
    static let basics: [StoreSaboteur] = [
        StoreSaboteur("store.empty", "throws") { impostor, _ in
            impostor.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key) else { throw StoreError(.unreadable, "There is nothing.") }
                return value
            }
        },
        StoreSaboteur("store.round-trip", "drops unknown fields") { impostor, _ in
            impostor.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key), value.bytes.starts(with: #"{"version":9"#.utf8) else {
                    return try await base.load(key)
                }
                return StoredValue(bytes: Array(#"{"version":9}"#.utf8), revision: value.revision)
            }
        },
        StoreSaboteur("store.replace-if-unchanged", "last writer wins") { impostor, _ in
            impostor.onReplace = { base, key, bytes, revision async throws(StoreError) in
                do throws(StoreError) {
                    return try await base.replace(key, with: bytes, unlessChangedSince: revision)
                } catch  where error.code == .conflict {
                    return try await base.replace(key, with: bytes, unlessChangedSince: try await base.load(key)?.revision)
                }
            }
        },
        StoreSaboteur("store.remove", "leaves a copy") { impostor, _ in
            impostor.onRemove = { base, key async throws(StoreError) in
                if let value = try await base.load(key) {
                    let copy = StoreKey(provider: key.provider, backend: key.backend, slot: .revocations)
                    _ = try await base.replace(copy, with: value.bytes, unlessChangedSince: try await base.load(copy)?.revision)
                }
                try await base.remove(key)
            }
        },
        StoreSaboteur("store.remove-if-unchanged", "removes what is new") { impostor, _ in
            impostor.onRemoveIfUnchanged = { base, key, revision async throws(StoreError) in
                do throws(StoreError) {
                    try await base.remove(key, unlessChangedSince: revision)
                } catch  where error.code == .conflict {
                    try await base.remove(key)
                    throw error
                }
            }
        },
        StoreSaboteur("store.owners-apart", "falls back on another user's value") { impostor, place in
            impostor.onLoad = { base, key async throws(StoreError) in
                if let value = try await base.load(key) { return value }
                return try? await place.open().load(key)
            }
        },
        StoreSaboteur("store.unreadable-is-not-empty", "returns nil") { impostor, _ in
            impostor.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .unreadable { return nil }
            }
        },
        StoreSaboteur("store.private", "default mode") { impostor, place in
            impostor.onReplace = { base, key, bytes, revision async throws(StoreError) in
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
