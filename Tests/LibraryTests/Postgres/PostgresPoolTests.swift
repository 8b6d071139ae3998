import LockstepPostgres
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import LockstepTestConcurrency
import Synchronization
import Testing

@Suite("PostgreSQL connections", .limitedConcurrency)
struct PostgresPoolTests {
    private static func pool(_ address: String, capacity: Int = 2) throws -> PostgresPool {
        PostgresPool(try PostgresAddress(Secret(address)), capacity: capacity, clock: SystemClock()) { try ThreadExecutor() }
    }

    private static func pool(capacity: Int = 2) async throws -> PostgresPool {
        try pool(try await PostgresServer.shared().makeDatabase(), capacity: capacity)
    }

    private static let limit = Duration.hangLimit

    @Test func valuesAreReadAsWritten() async throws {
        let values: [PostgresValue] = [
            .null, .bool(true), .bool(false), .int(.min), .int(-1), .int(0), .int(.max), .text(""), .text("é🗝️'\"\\\n"),
            .bytes([]),
            .bytes((0...255).map { UInt8($0) }), .bytes([UInt8](repeating: 7, count: 300_000)),
        ]
        let back = try await Self.pool().run(within: Self.limit) { connection throws(PostgresError) in
            try values.map { value throws(PostgresError) in try connection.run("SELECT \(value)").rows[0].values[0] }
        }
        #expect(back == values)
        let small = try await Self.pool().run(within: Self.limit) { connection throws(PostgresError) in
            try connection.run("SELECT -2::smallint, 70000::int, 'a'::varchar, 1 WHERE 1 = \(Int64(1))").rows[0]
        }
        #expect(small.values == [.int(-2), .int(70000), .text("a"), .int(1)])
        await Self.expect(.mismatch) { () throws(PostgresError) in let _: String = try small[0] }
        await Self.expect(.mismatch) { () throws(PostgresError) in let _: Int64 = try small[4] }
    }

    @Test func errorHasTheServersCodeAndKeepsTheConnection() async throws {
        let pool = try await Self.pool(capacity: 1)
        let codes = try await pool.run(within: Self.limit) { connection throws(PostgresError) in
            var codes: [String?] = []
            for statement in ["SELECT nonsense", "SELECT * FROM missing", "SELECT 1/0", "SELECT 1; SELECT 2"]
                as [PostgresStatement]
            {
                do throws(PostgresError) { try connection.run(statement) } catch { codes.append(error.state?.rawValue) }
            }
            return codes
        }
        #expect(codes == ["42703", "42P01", "22012", "42601"])
    }

    @Test func throwingTransactionIsRolledBack() async throws {
        let pool = try await Self.pool(capacity: 1)
        let counts = try await pool.run(within: Self.limit) { connection throws(PostgresError) -> [Int] in
            try connection.commit("CREATE TABLE t (a bigint)")
            try connection.transaction { connection throws(PostgresError) in try connection.run("INSERT INTO t VALUES (1)") }
            do throws(PostgresError) {
                try connection.transaction { connection throws(PostgresError) in
                    try connection.run("INSERT INTO t VALUES (2)")
                    try connection.run("SELECT 1/0")
                }
            } catch {}
            return [try connection.run("SELECT * FROM t").count, try connection.run("UPDATE t SET a = 3").count]
        }
        #expect(counts == [1, 1])
    }

    @Test func callEndsAtItsTimeLimitAndStopsTheServer() async throws {
        let pool = try await Self.pool()
        // Connects first, so that the time is that of the statement.
        try await Self.expectNothingSleeps(pool)
        await Self.expect(.timedOut) { () async throws(PostgresError) in
            _ = try await pool.run(within: .milliseconds(100)) { connection throws(PostgresError) in
                try connection.run("SELECT pg_sleep(300)").count
            }
        }
        try await Self.expectNothingSleeps(pool)
    }

    @Test func cancelledCallStopsTheServer() async throws {
        let pool = try await Self.pool()
        let task = Task {
            await Self.expect(.cancelled) { () async throws(PostgresError) in
                _ = try await pool.run(within: Self.limit) { connection throws(PostgresError) in
                    try connection.run("SELECT pg_sleep(300)").count
                }
            }
        }
        while try await Self.sleeping(pool) == 0 { await Task.yield() }
        task.cancel()
        await task.value
        try await Self.expectNothingSleeps(pool)
    }

    @Test func callWaitsForAFreeConnectionUpToItsLimit() async throws {
        let pool = try await Self.pool(capacity: 1)
        let session = try await pool.take(within: Self.limit)
        await Self.expect(.exhausted) { () async throws(PostgresError) in _ = try await pool.take(within: .milliseconds(20)) }
        async let waiter = pool.run(within: Self.limit) { connection throws(PostgresError) in try connection.run("SELECT 1").count
        }
        pool.give(back: session)
        let served = try await waiter
        #expect(served == 1)
        // No task is lost: the pool serves more tasks than it has connections.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await pool.run(within: Self.limit) { connection throws(PostgresError) in
                        try connection.run("SELECT 1").count
                    }
                }
            }
            let sum = try await group.reduce(0, +)
            #expect(sum == 50)
        }
    }

    @Test func lostConnectionIsReplacedAtItsNextUse() async throws {
        let pool = try await Self.pool(capacity: 1)
        let own: @Sendable (PostgresConnection) throws(PostgresError) -> Int64 = { connection throws(PostgresError) in
            try connection.run("SELECT pg_backend_pid()").rows[0][0]
        }
        let first = try await pool.run(within: Self.limit, own)
        try await PostgresServer.shared().sql("SELECT pg_terminate_backend(\(first), 5000)")
        let second = try await pool.run(within: Self.limit, own)
        #expect(second != first)
        // The same error in the middle of a call is reported, because the outcome is unknown.
        do throws(PostgresError) {
            _ = try await pool.run(within: Self.limit) { connection throws(PostgresError) in
                try connection.run("SELECT pg_terminate_backend(pg_backend_pid())").count
            }
            Issue.record("it was answered")
        } catch { #expect(error.isPassing, "\(error)") }
        let third = try await pool.run(within: Self.limit, own)
        #expect(third != second)
    }

    @Test func notificationOfAChannelIsReceived() async throws {
        let address = try await PostgresServer.shared().makeDatabase()
        let session = try PostgresSession(
            try PostgresAddress(Secret(address)), clock: SystemClock(), executor: try ThreadExecutor())
        let begins = try await session.run(within: Self.limit) { connection throws(PostgresError) in
            [try connection.listen(to: "news"), try connection.listen(to: "news")]
        }
        #expect(begins == [true, false])
        async let heard = session.run(within: Self.limit) { connection throws(PostgresError) in
            try connection.notifications(within: Self.limit)
        }
        try await Self.pool(address).run(within: Self.limit) { connection throws(PostgresError) in
            _ = try connection.commit("SELECT pg_notify('news', \("it's 7"))")
        }
        let told = try await heard
        #expect(told == [PostgresNotification(channel: "news", payload: "it's 7")])
    }

    @Test func silentHostUsesOnlyItsShareOfTheTime() async throws {
        let silent = try SocketListener()
        let address = try await PostgresServer.shared().makeDatabase()
        let folder = try #require(address.split(separator: " ").first?.dropFirst("host=".count))
        let rest = address.split(separator: " ").dropFirst().joined(separator: " ")
        let pool = try Self.pool("host=127.0.0.1,/nowhere,\(folder) port=\(silent.port),5432,5432 \(rest)")
        let count = try await pool.run(within: .seconds(15)) { connection throws(PostgresError) in
            try connection.run("SELECT 1").count
        }
        #expect(count == 1)
        await Self.expect(.disconnected) { () async throws(PostgresError) in
            _ = try await Self.make("host=127.0.0.1 port=\(silent.port)").run(within: .milliseconds(100)) { _ in }
        }
    }

    private static func make(_ address: String) throws(PostgresError) -> PostgresPool {
        PostgresPool(try PostgresAddress(Secret(address)), capacity: 1, clock: SystemClock()) { try ThreadExecutor() }
    }

    private static func sleeping(_ pool: PostgresPool) async throws -> Int64 {
        try await pool.run(within: limit) { connection throws(PostgresError) in
            try connection.run(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND wait_event = 'PgSleep'
                """
            ).rows[0][0]
        }
    }

    private static func expectNothingSleeps(_ pool: PostgresPool) async throws {
        // The caller that cancels does not wait for the end. A server that continued would sleep for minutes.
        let clock = SystemClock()
        let began = clock.uptime
        while try await sleeping(pool) > 0 {
            guard clock.uptime - began < .hangLimit else {
                Issue.record("the server goes on")
                return
            }
            await Task.yield()
        }
    }

    private static func expect(
        _ kind: PostgresError.Kind, _ state: PostgresError.State? = nil, _ body: () async throws(PostgresError) -> Void
    ) async {
        do throws(PostgresError) {
            try await body()
            Issue.record("it was done")
        } catch {
            #expect(error.kind == kind, "\(error)")
            #expect(error.state == state, "\(error)")
        }
    }
}
