import Lockstep
import LockstepPrimitives
import LockstepSQLiteStore
import LockstepSystem

/// `lockstep-lab bench stores [ROUNDS] [FOLDER]`: the time of a load and a replace of a session in each store, in microseconds.
///
/// The folder decides which disk is measured: a replace waits for it.
///
/// `lockstep-lab bench stores users COUNT database|folders`: the threads and memory that this many users, each with a client,
/// cost a process: all in one SQLite database, or each in a separate one.
struct StoreBenchmark {
    static func run(_ words: [String]) async throws {
        if words.count == 3, words[0] == "users", let count = Int(words[1]) {
            return try await measureUsers(count, together: words[2] == "database")
        }
        let rounds = words.first.flatMap(Int.init) ?? 1000
        let folder = words.count > 1 ? words[1] : try Folder.makeTemporary()
        let (files, database) = ("\(folder)/files", "\(folder)/sqlite")
        let stores: [(name: String, store: any SessionStore)] = [
            ("memory", MemorySessionStore()), ("files", try FileSessionStore(directory: files)),
            ("sqlite", try SQLiteSessionDatabase(directory: database).store(for: "ada")),
        ]
        try print("store", "load: median", "slowest 1 %", "replace: median", "slowest 1 %", "µs of processor")
        for (name, store) in stores { try await measure(name, store, rounds) }
        for path in [files, database] { try Folder.remove(path) }
        if words.count < 2 { try Folder.remove(folder) }
    }

    private static func measure(_ name: String, _ store: any SessionStore, _ rounds: Int) async throws {
        let clock = SystemClock()
        let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)
        // As long as a session of GoTrue.
        let bytes = [UInt8](repeating: 65, count: 1800)
        var revision = try await store.replace(key, with: bytes, unlessChangedSince: nil)
        var (loads, replaces): ([Duration], [Duration]) = ([], [])
        let processor = CurrentProcess.processorTime
        for _ in 0..<rounds {
            var start = clock.uptime
            guard try await store.load(key)?.bytes.count == bytes.count else {
                throw StoreError(.corrupt, "It gave something else.")
            }
            loads.append(clock.uptime - start)
            start = clock.uptime
            revision = try await store.replace(key, with: bytes, unlessChangedSince: revision)
            replaces.append(clock.uptime - start)
        }
        let spent = (CurrentProcess.processorTime - processor) / rounds
        loads.sort()
        replaces.sort()
        try print(
            name, loads[rounds / 2].microseconds, loads[rounds * 99 / 100].microseconds, replaces[rounds / 2].microseconds,
            replaces[rounds * 99 / 100].microseconds, spent.microseconds)
    }

    private static func measureUsers(_ count: Int, together: Bool) async throws {
        let folder = try Folder.makeTemporary()
        let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)
        let before = CurrentProcess.residentMemory ?? 0
        var stores: [SQLiteSessionStore] = []
        let shared = try SQLiteSessionDatabase(directory: folder)
        for number in 0..<count {
            let database = together ? shared : try SQLiteSessionDatabase(directory: "\(folder)/\(number)")
            stores.append(try database.store(for: "user \(number)"))
        }
        for store in stores {
            try await store.exclusively(key, lockTimeout: .seconds(60)) {}
            try await store.replace(key, with: [UInt8](repeating: 65, count: 1800), unlessChangedSince: nil)
        }
        for store in stores { _ = try await store.load(key) }
        let threads = (try? Folder.names("/proc/self/task").count) ?? 0
        let memory = ((CurrentProcess.residentMemory ?? 0) - before) >> 10
        try print("\(stores.count) users", "\(threads) threads", "\(memory) KiB more")
        for number in 0..<(together ? 0 : count) { try Folder.remove("\(folder)/\(number)") }
        try Folder.remove(folder)
    }

    private static func print(_ columns: String...) throws {
        let line = columns.map { $0 + String(repeating: " ", count: max(1, 18 - $0.count)) }.joined()
        try StandardStream.output.write(line + "\n")
    }
}

extension Duration {
    /// With one decimal.
    fileprivate var microseconds: String {
        let tenths = components.seconds * 10_000_000 + components.attoseconds / 100_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
