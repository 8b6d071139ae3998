internal import Lockstep
internal import LockstepPrimitives

extension StoreCatalog {
    /// The contracts about several processes, including a process that dies.
    static let processes: [StoreContract] = [
        StoreContract(
            "store.whole-or-old", "If a process is killed at any point, the store contains the complete old or new value.",
            buildsOn: ["store.round-trip", "store.replace-if-unchanged"]
        ) { w in
            var stored = 0
            let reader = try await w.open()
            for round in 1...w.effort.kills {
                let process = try await w.start(.overwrite)
                // After a few replaces and a short wait, the kill can interrupt any point of the next replace. The last process
                // makes enough replaces to store some values.
                for _ in 0..<(round < w.effort.kills ? w.chance(6) : 6) {
                    if let line = try await process.line(), let number = Int(line) { stored = number }
                }
                // These loads are as slow as the store. So the kill can interrupt every part of a replace on any machine.
                for _ in 0..<w.chance(100) { _ = try? await reader.load(w.key) }
                await process.kill()
                while let line = try await process.line() { if let number = Int(line) { stored = number } }
                guard let value = try await w.open().load(w.key) else {
                    w.expect(stored == 0, "kill \(round): the store returned no value")
                    continue
                }
                guard let sample = StoreSample(bytes: value.bytes) else {
                    return w.found("kill \(round): the \(value.bytes.count) loaded bytes are not a complete value", line: #line)
                }
                guard sample.number == stored || sample.number == stored + 1 else {
                    return w.found(
                        "kill \(round): value \(stored) was stored, and value \(sample.number) was loaded", line: #line)
                }
                stored = sample.number
            }
            w.expect(stored > w.effort.kills / 2, "only \(stored) values were stored in total")
        },

        StoreContract(
            "store.two-processes", "Processes that replace a value at the same time lose no update.",
            buildsOn: ["store.round-trip", "store.replace-if-unchanged"]
        ) { w in
            let others = try await w.processes { try await w.start(.add(w.effort.replaces)) }
            let counter = StoreCounter(store: try await w.open())
            for _ in 0..<w.effort.replaces { try await counter.addOne() }
            for other in others {
                let line = try await other.line()
                w.expect(line == "done", "a process ended after the line \(line ?? "nothing")")
            }
            let (number, wanted) = (try await counter.number(), w.effort.processes * w.effort.replaces)
            w.expect(number == wanted, "of \(wanted) updates, \(wanted - number) were lost")
        },

        StoreContract(
            "store.dead-holder", "The exclusive access of a killed process is released.", buildsOn: ["store.empty"]
        ) { w in
            let store = try await w.open()
            let process = try await w.start(.hold)
            let line = try await process.line()
            w.expect(line == "inside", "the process did not get exclusive access: \(line ?? "it ended")")
            await w.expect(.busy, "two processes have exclusive access at the same time") { () async throws(StoreError) in
                try await store.exclusively(w.key, lockTimeout: .milliseconds(50)) {}
            }
            await process.kill()
            do throws(StoreError) {
                try await store.exclusively(w.key, lockTimeout: .seconds(60)) {}
            } catch {
                w.found("the killed process still has exclusive access: \(error)", line: #line)
            }
        },

        StoreContract(
            "store.waiting-has-deadline", "A wait for exclusive access ends by its deadline.", buildsOn: ["store.empty"]
        ) { w in
            let (holder, waiter) = (try await w.open(), try await w.open())
            for lockTimeout in [Duration.zero, .milliseconds(50)] {
                let ran = Slot<Bool>()
                let (inside, isInside) = AsyncStream<Void>.makeStream()
                let (end, isOver) = AsyncStream<Void>.makeStream()
                async let hold: Void = holder.exclusively(w.key, lockTimeout: .seconds(60)) {
                    isInside.finish()
                    for await _ in end {}
                }
                for await _ in inside {}
                let code = await Race.first(limit: .seconds(15)) { () -> StoreError.Code? in
                    do throws(StoreError) {
                        try await waiter.exclusively(w.key, lockTimeout: lockTimeout) { _ = ran.fill(true) }
                        return nil
                    } catch { return error.code }
                }
                guard let code else { return w.found("with a lock timeout of \(lockTimeout), the call did not end", line: #line) }
                w.expect(code == .busy, "the call ended with \(code?.rawValue ?? "exclusive access")")
                w.expect(ran.value == nil, "the body ran without exclusive access")
                isOver.finish()
                _ = try await hold
            }
            try await waiter.exclusively(w.key, lockTimeout: .seconds(60)) {}
        },

        StoreContract(
            "store.full-disk", "On a full disk, a replacement fails with that error, and the old value stays.",
            buildsOn: ["store.whole-or-old"]
        ) { w in
            let process = try await w.start(.outgrow, room: 640 << 10)
            var stored = 0
            while let line = try await process.line() {
                if let number = Int(line) {
                    stored = number
                    continue
                }
                w.expect(line == StoreError.Code.full.rawValue, "the replacement failed with \(line)")
                break
            }
            w.expect(stored > 0, "no value was stored")
            let left = try await process.line()
            w.expect(
                left == String(stored), "value \(stored) was stored, and afterwards the store contains \(left ?? "no response")")
        },
    ]
}

extension StoreWorld {
    /// Returns a random number that is at least 0 and less than a limit.
    fileprivate func chance(_ limit: Int) -> Int {
        let bytes = SystemRandomness().bytes(2)
        return (Int(bytes[0]) << 8 | Int(bytes[1])) % limit
    }

    /// Starts as many processes as the effort requires, minus this process.
    fileprivate func processes(_ start: () async throws -> any StoreProcess) async throws -> [any StoreProcess] {
        var processes: [any StoreProcess] = []
        for _ in 1..<effort.processes { processes.append(try await start()) }
        return processes
    }
}
