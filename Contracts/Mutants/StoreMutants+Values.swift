internal import Lockstep
internal import LockstepPrimitives

extension StoreMutants {
    static let values: [StoreMutant] = [
        StoreMutant("store.corrupt-kept", "erases") { faulty, _ in
            faulty.onQuarantine = { base, key, revision async throws(StoreError) in
                guard try await base.load(key)?.revision == revision else {
                    throw StoreError(.conflict, "The value has changed.")
                }
                try await base.remove(key)
            }
        },
        StoreMutant("store.old-versions", "requires a new field") { faulty, _ in
            faulty.onLoad = { base, key async throws(StoreError) in
                guard let value = try await base.load(key) else { return nil }
                if let envelope = try? JSON.parse(value.bytes), envelope["version"]?.int == 1, envelope["value"]?["since"] == nil
                {
                    throw StoreError(.corrupt, "The field `since` is missing.")
                }
                return value
            }
        },
        StoreMutant("store.many-users", "resolves paths in a key") { faulty, _ in
            faulty.onKey = { key in
                var parts: [Substring] = []
                for part in key.backend.prefix(while: { $0 != "\0" }).split(separator: "/", omittingEmptySubsequences: false) {
                    if part == ".." { _ = parts.popLast() } else { parts.append(part.prefix(255)) }
                }
                return StoreKey(provider: key.provider, backend: parts.joined(separator: "/"), slot: key.slot)
            }
        },
    ]
}
