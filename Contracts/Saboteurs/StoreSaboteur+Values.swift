internal import Lockstep
internal import LockstepPrimitives

extension StoreSaboteur {
    static let values: [StoreSaboteur] = [
        StoreSaboteur("store.corrupt-kept", "erases") { impostor, _ in
            impostor.onSetAside = { base, key, revision async throws(StoreError) in
                guard try await base.load(key)?.revision == revision else { throw StoreError(.conflict, "It has changed.") }
                try await base.remove(key)
            }
        },
        StoreSaboteur("store.old-versions", "requires a new field") { impostor, _ in
            impostor.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key) else { return nil }
                if let envelope = try? JSON.parse(value.bytes), envelope["version"]?.int == 1, envelope["value"]?["since"] == nil
                {
                    throw StoreError(.corrupt, "There is no since.")
                }
                return value
            }
        },
        StoreSaboteur("store.many-users", "joins paths") { impostor, _ in
            impostor.onKey = { key in
                var parts: [Substring] = []
                for part in key.backend.prefix(while: { $0 != "\0" }).split(separator: "/", omittingEmptySubsequences: false) {
                    if part == ".." { _ = parts.popLast() } else { parts.append(part.prefix(255)) }
                }
                return StoreKey(provider: key.provider, backend: parts.joined(separator: "/"), slot: key.slot)
            }
        },
    ]
}
