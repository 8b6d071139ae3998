internal import Lockstep
internal import LockstepPrimitives

extension StoreCatalog {
    /// The contracts about unusual, old and damaged values and keys.
    static let values: [StoreContract] = [
        StoreContract(
            "store.corrupt-kept",
            "A value that cannot be decoded is reported once, quarantined and never erased. Then its place is free.",
            buildsOn: ["store.empty", "store.round-trip", "store.replace-if-unchanged"]
        ) { w in
            let store = try await w.open()
            // A value that the store can load, but its reader cannot decode.
            let strange = Array("strange-\(SystemRandomness().text(24))".utf8)
            let revision = try await store.replace(w.key, with: strange, unlessChangedSince: nil)
            await w.expect(.conflict, "a changed value was quarantined") { () async throws(StoreError) in
                try await store.quarantine(w.key, unlessChangedSince: Revision(rawValue: "none"))
            }
            w.expect(try await store.load(w.key)?.bytes == strange, "a rejected call changed the value")
            try await store.quarantine(w.key, unlessChangedSince: revision)
            w.expect(try await store.load(w.key) == nil, "the store returned a quarantined value")
            w.expect(try await store.keys().isEmpty, "the store lists the key of a quarantined value")
            w.expect(try await w.place.contains(strange), "the quarantined value was erased")

            // Two values that the store itself cannot read. The second one must not replace the first one.
            var damaged: [[UInt8]] = []
            for value in ["first-\(SystemRandomness().text(24))", "second-\(SystemRandomness().text(24))"] {
                try await store.replace(w.key, with: Array(value.utf8), unlessChangedSince: nil)
                damaged.append(try await w.place.damage())
                await w.expect(.corrupt, "the store did not report the damage") { () async throws(StoreError) in
                    _ = try await store.load(w.key)
                }
                w.expect(try await store.load(w.key) == nil, "the store reported the damage more than once")
            }
            try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            w.expect(try await w.open().load(w.key)?.bytes == [1], "a new value cannot be stored")
            for bytes in damaged + [strange] { w.expect(try await w.place.contains(bytes), "the damaged value was erased") }
        },

        StoreContract(
            "store.old-versions", "Values of every released version can be read and replaced.",
            buildsOn: ["store.round-trip"]
        ) { w in
            guard !w.place.formats.isEmpty else { throw EnvironmentError("no version of the store has been released") }
            for format in w.place.formats {
                let bytes = try await w.place.install(format)
                let store = try await w.open()
                let value = try await store.load(w.key)
                w.expect(
                    value?.bytes == bytes, "\(format): the store returned \(value == nil ? "no value" : "a different value")")
                w.expect(try await store.keys() == [w.key], "\(format): the store does not list the key")
                try await store.replace(w.key, with: [2], unlessChangedSince: value?.revision)
                w.expect(try await w.open().load(w.key)?.bytes == [2], "\(format): the value cannot be replaced")
            }
        },

        StoreContract(
            "store.many-users", "Values of different keys never interfere, regardless of the content of the keys.",
            buildsOn: ["store.round-trip", "store.remove"]
        ) { w in
            let store = try await w.open()
            let odd = [
                "", " ", ".", "..", "../acme", "a/../../b", "/etc/passwd", "a\0b", "a\0c", "a", "A", "a%2Fb", "a/b", "a\\b",
                "a\nb",
                "é", "e\u{301}", "🗝️", "%", "_", "'; DROP TABLE sessions; --", String(repeating: "x", count: 4096),
                String(repeating: "x", count: 4095) + "y",
            ]
            var keys = odd.map { StoreKey(provider: "acme", backend: $0, slot: .session) }
            keys += odd.prefix(8).map { StoreKey(provider: $0, backend: "https://acme.example", slot: .device) }
            keys += [("a", "b\nc"), ("a\nb", "c")].map { StoreKey(provider: $0.0, backend: $0.1, slot: .session) }
            keys += (0..<40).map { StoreKey(provider: "acme", backend: "https://user-\($0).example", slot: .session) }
            for (number, key) in keys.enumerated() {
                try await store.replace(key, with: Array("value \(number)".utf8), unlessChangedSince: nil)
            }
            let reader = try await w.open()
            for (number, key) in keys.enumerated() {
                let value = try await reader.load(key)?.bytes
                w.expect(
                    value == Array("value \(number)".utf8),
                    "\(w.named(key)) contains \(value == nil ? "no value" : "another key's value")")
            }
            w.expect(Set(try await reader.keys()) == Set(keys), "the store lists other keys than the saved ones")
            try await store.remove(keys[0])
            for (number, key) in keys.enumerated().dropFirst() where try await reader.load(key) == nil {
                w.found("\(w.named(key)), value \(number), was removed together with another key", line: #line)
            }
        },
    ]
}

extension StoreWorld {
    /// Returns the key in a form that is short enough for a sentence.
    fileprivate func named(_ key: StoreKey) -> String {
        "\(key.provider.debugDescription) \(key.backend.prefix(40).debugDescription)"
    }
}
