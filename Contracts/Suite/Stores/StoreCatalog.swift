public import Lockstep
internal import LockstepPrimitives

/// All contracts of session stores, grouped by theme.
public enum StoreCatalog {
    /// All contracts of session stores.
    public static let all: [StoreContract] = basics + processes + values + intrusions + folders

    /// The key that the checks use to store values.
    public static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    private static let basics: [StoreContract] = [
        StoreContract("store.empty", "A new store returns no value.") { w in
            let store = try await w.open()
            for slot in StoreKey.Slot.allCases {
                let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: slot)
                w.expect(try await store.load(key) == nil, "a new store contains a value under \(slot)")
            }
            w.expect(try await store.keys().isEmpty, "a new store lists keys")
        },

        StoreContract(
            "store.round-trip", "A saved value is loaded byte for byte, including unknown fields.", buildsOn: ["store.empty"]
        ) { w in
            let store = try await w.open()
            let text = #"{"version":9,"unknown":{"b":[1,2.50,null],"a":"é\u0000"},"session":{"z":true}}"#
            for bytes in [Array(text.utf8), [], (0...255).map { UInt8($0) }, [UInt8](repeating: 7, count: 300_000)] {
                let before = try await store.load(w.key)?.revision
                let revision = try await store.replace(w.key, with: bytes, unlessChangedSince: before)
                for reader in [store, try await w.open()] {
                    let loaded = try await reader.load(w.key)
                    w.expect(
                        loaded?.bytes == bytes,
                        "\(bytes.count) bytes were stored, and \(loaded?.bytes.count ?? 0) different bytes were loaded")
                    w.expect(loaded?.revision == revision, "the loaded revision is different")
                }
            }
            w.expect(try await store.keys() == [w.key], "the store lists other keys than the saved one")
        },

        StoreContract(
            "store.replace-if-unchanged", "A replacement of an old revision fails and changes nothing.",
            buildsOn: ["store.empty", "store.round-trip"]
        ) { w in
            let store = try await w.open()
            let first = try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            let second = try await store.replace(w.key, with: [2], unlessChangedSince: first)
            w.expect(first != second, "two states have the same revision")
            for stale in [nil, first, Revision(rawValue: "none")] {
                do throws(StoreError) {
                    try await store.replace(w.key, with: [3], unlessChangedSince: stale)
                    w.found("a replacement of \(stale == nil ? "no" : "an old") revision succeeded", line: #line)
                } catch {
                    w.expect(error.code == .conflict, "the replacement failed with \(error)")
                }
            }
            w.expect(try await store.load(w.key)?.bytes == [2], "the value has changed")
        },

        StoreContract("store.remove", "After a removal, nothing is readable.", buildsOn: ["store.empty", "store.round-trip"]) {
            w in
            let store = try await w.open()
            let secret = Array("canary-\(SystemRandomness().text(24))".utf8)
            try await store.replace(w.key, with: secret, unlessChangedSince: nil)
            try await store.remove(w.key)
            w.expect(try await store.load(w.key) == nil, "the store still returns the value")
            w.expect(try await w.open().load(w.key) == nil, "a new store still returns the value")
            w.expect(try await store.keys().isEmpty, "the store still lists the key")
            try await store.remove(w.key)
            w.expect(try await !w.place.contains(secret), "the store still contains the bytes")
        },

        StoreContract(
            "store.remove-if-unchanged", "A removal of an old revision fails and changes nothing.",
            buildsOn: ["store.empty", "store.round-trip", "store.remove"]
        ) { w in
            let store = try await w.open()
            let first = try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            let second = try await store.replace(w.key, with: [2], unlessChangedSince: first)
            await w.expect(.conflict, "a removal of an older state succeeded") { () async throws(StoreError) in
                try await store.remove(w.key, unlessChangedSince: first)
            }
            w.expect(try await store.load(w.key)?.bytes == [2], "the newer value was removed")
            try await store.remove(w.key, unlessChangedSince: second)
            w.expect(try await store.load(w.key) == nil, "the store still returns the value")
            await w.expect(.conflict, "a removal of a missing value succeeded") { () async throws(StoreError) in
                try await store.remove(w.key, unlessChangedSince: second)
            }
        },

        StoreContract(
            "store.owners-apart", "Users of a store never see, change, remove or wait for each other's values.",
            buildsOn: ["store.round-trip", "store.remove", "store.replace-if-unchanged"]
        ) { w in
            let (ada, bob) = (try await w.open(), try await w.open(for: "bob"))
            let first = try await ada.replace(w.key, with: [1], unlessChangedSince: nil)
            w.expect(try await bob.load(w.key) == nil, "the store returned another user's value")
            w.expect(try await bob.keys().isEmpty, "the store lists another user's key")
            await w.expect(.conflict, "another user's value was replaced") { () async throws(StoreError) in
                try await bob.replace(w.key, with: [2], unlessChangedSince: first)
            }
            await w.expect(.conflict, "another user's value was removed") { () async throws(StoreError) in
                try await bob.remove(w.key, unlessChangedSince: first)
            }
            await w.expect(.conflict, "another user's value was quarantined") { () async throws(StoreError) in
                try await bob.quarantine(w.key, unlessChangedSince: first)
            }
            try await bob.remove(w.key)
            w.expect(try await ada.load(w.key) == StoredValue(bytes: [1], revision: first), "another user changed the value")
            try await bob.replace(w.key, with: [2], unlessChangedSince: nil)
            let readers: [(any SessionStore, [UInt8])] = [
                (ada, [1]), (bob, [2]), (try await w.open(), [1]), (try await w.open(for: "bob"), [2]),
            ]
            for (store, bytes) in readers {
                w.expect(try await store.load(w.key)?.bytes == bytes, "a user received another user's value")
            }
            try await ada.remove(w.key)
            w.expect(try await bob.load(w.key)?.bytes == [2], "a value was removed together with another user's value")
            let waits = try await ada.exclusively(w.key, lockTimeout: .seconds(60)) { () -> StoreError? in
                do throws(StoreError) {
                    try await bob.exclusively(w.key, lockTimeout: .zero) {}
                    return nil
                } catch { return error }
            }
            if let waits { w.found("a user waited for another user: \(waits)", line: #line) }
        },

        StoreContract(
            "store.unreadable-is-not-empty", "A store without access, or a locked store, throws instead of returning no value.",
            buildsOn: ["store.empty", "store.round-trip"]
        ) { w in
            let store = try await w.open()
            try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            try await w.place.lock()
            do throws(StoreError) {
                let value = try await store.load(w.key)
                w.found(value == nil ? "the store returned no value" : "the store returned a locked value", line: #line)
            } catch {
                w.expect(error.code == .unreadable, "the store failed with \(error)")
            }
            try await w.place.unlock()
            w.expect(try await store.load(w.key)?.bytes == [1], "after unlocking, the store does not return the value")
        },

        StoreContract(
            "store.private", "Only their owner can read the files.", buildsOn: ["store.empty", "store.round-trip"]
        ) { w in
            let store = try await w.open()
            try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            let others = try await w.place.readableByOthers()
            w.expect(others.isEmpty, "other users can read \(others.joined(separator: ", "))")
        },
    ]
}
