import Lockstep
import LockstepPostgres
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem

/// `lockstep-lab bench postgres [ROUNDS]`: the time of a load, a replace and an exclusive lock in microseconds, on a server that
/// waits for its disk.
///
/// For comparison, it measures a bare read and a bare commit on the same connection.
struct PostgresBenchmark {
    static func run(_ words: [String]) async throws {
        let rounds = words.first.flatMap(Int.init) ?? 1000
        let server = try await PostgresServer(durable: true)
        let address = Secret(try await server.makeDatabase())
        let key = try SessionKey(id: "1", secret: Secret(Base64.encode(SystemRandomness().bytes(32))))
        let database = try PostgresSessionDatabase(address, keys: try SessionKeyRing(newest: key))
        try await database.prepare()
        let store = try database.store(for: "ada")
        let name = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)
        // As long as a session of GoTrue.
        let bytes = [UInt8](repeating: 65, count: 1800)
        var revision = try await store.replace(name, with: bytes, unlessChangedSince: nil)
        let pool = PostgresPool(try PostgresAddress(address), capacity: 1, clock: SystemClock()) { try ThreadExecutor() }
        let read: @Sendable (PostgresConnection) throws(PostgresError) -> Int = { connection throws(PostgresError) in
            try connection.run("SELECT 1").count
        }
        try print("PostgreSQL", "median", "slowest 1 %", "µs of processor")
        try await measure("bare read", rounds) { _ = try await pool.run(within: .seconds(10), read) }
        try await measure("load", rounds) { _ = try await store.load(name) }
        try await measure("bare commit", rounds) {
            _ = try await pool.run(within: .seconds(10)) { connection throws(PostgresError) in
                try connection.commit("UPDATE lockstep_schema SET version = version").count
            }
        }
        try await measure("replace", rounds) {
            revision = try await store.replace(name, with: bytes, unlessChangedSince: revision)
        }
        try await measure("section, empty", rounds) { try await store.exclusively(name, lockTimeout: .seconds(10)) {} }
        try await server.stop()
    }

    private static func measure(_ name: String, _ rounds: Int, _ body: () async throws -> Void) async throws {
        let clock = SystemClock()
        try await body()
        var times: [Duration] = []
        let processor = CurrentProcess.processorTime
        for _ in 0..<rounds {
            let start = clock.uptime
            try await body()
            times.append(clock.uptime - start)
        }
        let spent = (CurrentProcess.processorTime - processor) / rounds
        times.sort()
        try print(name, times[rounds / 2].microseconds, times[rounds * 99 / 100].microseconds, spent.microseconds)
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
