internal import Lockstep
public import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A stand-in for a store that breaks exactly one promise of stores.
public struct StoreSaboteur: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: StoreContract.ID
    /// What it does, in a few words.
    public let deed: String
    /// The stand-in.
    public let sabotage: StoreSabotage

    /// The promise and the deed.
    public var description: String { "\(breaks): \(deed)" }

    private init(_ breaks: String, _ deed: String, _ build: @escaping @Sendable (inout ImpostorStore, any StorePlace) -> Void) {
        self.breaks = breaks
        self.deed = deed
        sabotage = { store, place in
            var impostor = ImpostorStore(base: store)
            build(&impostor, place)
            return impostor
        }
    }

    /// All of them; there is one for every promise of stores.
    public static let all: [StoreSaboteur] = [
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

/// A store that does as the one behind it, but for what is replaced.
struct ImpostorStore: SessionStore {
    let base: any SessionStore
    var onLoad: (@Sendable (any SessionStore, StoreKey) async throws(StoreError) -> StoredValue?)?
    var onReplace: (@Sendable (any SessionStore, StoreKey, [UInt8], Revision?) async throws(StoreError) -> Revision)?
    var onRemove: (@Sendable (any SessionStore, StoreKey) async throws(StoreError) -> Void)?
    var onRemoveIfUnchanged: (@Sendable (any SessionStore, StoreKey, Revision) async throws(StoreError) -> Void)?

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        if let onLoad { return try await onLoad(base, key) }
        return try await base.load(key)
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        if let onReplace { return try await onReplace(base, key, bytes, revision) }
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        if let onRemove { return try await onRemove(base, key) }
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        if let onRemoveIfUnchanged { return try await onRemoveIfUnchanged(base, key, revision) }
        try await base.remove(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] { try await base.keys() }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, patience: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, patience: patience, body)
    }
}
