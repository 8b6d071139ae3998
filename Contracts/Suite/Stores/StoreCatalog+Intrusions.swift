internal import Lockstep
internal import LockstepPrimitives

extension StoreCatalog {
    /// The contracts about changes by other parties: a failing disk, another user, another program.
    static let intrusions: [StoreContract] = [
        StoreContract(
            "store.flipped-bits",
            "A flipped bit is reported as damage or has no effect. It is never loaded as another value, or as no value.",
            buildsOn: ["store.round-trip", "store.corrupt-kept"]
        ) { w in
            for round in 0..<w.effort.flips {
                // Multiples of the golden ratio are distributed evenly for any number of rounds.
                let share = (Double(round) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
                let writer = try await w.open()
                let bytes = Array("flip-\(round)-\(SystemRandomness().text(200))".utf8)
                try await writer.replace(w.key, with: bytes, unlessChangedSince: try await writer.load(w.key)?.revision)
                let turnBack = try await w.place.flip(at: share)
                let reader = try await w.open()
                do throws(StoreError) {
                    let value = try await reader.load(w.key)
                    w.expect(
                        value?.bytes == bytes,
                        "with a bit flipped at \(share), the store returned \(value == nil ? "no value" : "a different value")")
                } catch {
                    w.expect(
                        [.corrupt, .unreadable].contains(error.code),
                        "with a bit flipped at \(share), the store reported \(error)")
                    if error.code == .corrupt { continue }
                }
                try await turnBack()
            }
        },

        StoreContract(
            "store.obstacles",
            "An object that replaces the store's file is reported, and never read, followed or waited for. Then its place "
                + "is free.",
            buildsOn: ["store.round-trip", "store.corrupt-kept"]
        ) { w in
            for obstacle in StoreObstacle.allCases {
                let writer = try await w.open()
                try await writer.replace(w.key, with: [1], unlessChangedSince: try await writer.load(w.key)?.revision)
                try await w.place.plant(obstacle)
                let reader = try await w.open()
                let told = await Race.first(limit: .seconds(60)) { () -> String? in
                    do throws(StoreError) {
                        return try await reader.load(w.key) == nil ? "the store returned no value" : "the store read the object"
                    } catch { return error.code == .corrupt ? "" : "the store failed with \(error)" }
                }
                guard let told else { return w.found("\(obstacle.rawValue): the store waited for the object", line: #line) }
                w.expect(told == "", "\(obstacle.rawValue): \(told ?? "")")
                w.expect(
                    try await reader.load(w.key) == nil, "\(obstacle.rawValue): the store reported the object more than once")
                try await reader.replace(w.key, with: [2], unlessChangedSince: nil)
                w.expect(try await w.open().load(w.key)?.bytes == [2], "\(obstacle.rawValue): a new value cannot be stored")
            }
        },

        StoreContract(
            "store.exposed", "Permissions that give others access to used files are removed or reported.",
            buildsOn: ["store.round-trip", "store.private"]
        ) { w in
            let writer = try await w.open()
            try await writer.replace(w.key, with: [1], unlessChangedSince: nil)
            try await w.place.expose()
            let reader = try await w.open()
            do throws(StoreError) {
                let value = try await reader.load(w.key)
                w.expect(value?.bytes == [1], "the store does not return the value")
                try await reader.replace(w.key, with: [2], unlessChangedSince: value?.revision)
            } catch { return w.expect([.corrupt, .unreadable].contains(error.code), "the store reported \(error)") }
            let others = try await w.place.readableByOthers()
            w.expect(others.isEmpty, "other users can still read \(others.joined(separator: ", "))")
        },

        StoreContract(
            "store.vanished",
            "A value that was deleted outside the running store is written again by a store that knows it. A removed value "
                + "is not.",
            buildsOn: ["store.round-trip"]
        ) { w in
            let (first, second) = (try await w.open(), try await w.open())
            let old = try await first.replace(w.key, with: [1], unlessChangedSince: nil)
            _ = try await second.load(w.key)
            try await first.replace(w.key, with: [2], unlessChangedSince: old)
            try await w.place.vanish()
            // The second store has not seen the newest value. Its older value must not replace the newest one permanently.
            _ = try await second.load(w.key)
            let loaded = [try await first.load(w.key), try await second.load(w.key), try await w.open().load(w.key)]
            for (name, value) in zip(["the writer", "a second store", "a new store"], loaded) {
                w.expect(value?.bytes == [2], "\(name) loaded \(value.map { "\($0.bytes)" } ?? "nothing")")
            }
            try await w.place.vanish()
            let isEntered = try await first.exclusively(w.key, lockTimeout: .seconds(60)) { true }
            w.expect(isEntered, "the store cannot get exclusive access")
            let value = try await first.load(w.key)
            try await first.replace(w.key, with: [3], unlessChangedSince: value?.revision)
            _ = try await second.load(w.key)
            try await first.remove(w.key)
            for (name, store) in [("a second store", second), ("the store that removed it", first)] {
                let value = try await store.load(w.key)
                w.expect(value == nil, "\(name) loaded the removed value")
            }
        },

        StoreContract(
            "store.too-large", "A value that is too large to be loaded is rejected, and the old value stays.",
            buildsOn: ["store.round-trip", "store.whole-or-old", "store.full-disk"]
        ) { w in
            let store = try await w.open()
            let revision = try await store.replace(w.key, with: [1], unlessChangedSince: nil)
            let bytes = [UInt8](repeating: 7, count: 17 << 20)
            var left: [UInt8] = [1]
            do throws(StoreError) {
                try await store.replace(w.key, with: bytes, unlessChangedSince: revision)
                left = bytes
            } catch { w.expect(error.code == .unwritable, "the replacement failed with \(error)") }
            let value = try await w.open().load(w.key)
            w.expect(value?.bytes == left, "\(left.count) bytes were stored, and \(value?.bytes.count ?? 0) bytes were loaded")
        },
    ]
}
