import LockstepPostgresServer
import LockstepPrimitives

/// The rows of a rehearsal's target, in a separate PostgreSQL server.
struct DemoRows: Sendable {
    let server: PostgresServer
    /// The connection string.
    let address: String

    /// Starts a PostgreSQL server, which stops with this process.
    ///
    /// - Returns: Its database; `nil` if no PostgreSQL is installed.
    static func start() async throws -> DemoRows? {
        do {
            let server = try await PostgresServer()
            return DemoRows(server: server, address: try await server.makeDatabase())
        } catch is PostgresServer.NotInstalled {
            return nil
        }
    }

    /// Runs a statement directly on the server.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await server.sql(text, in: address) }

    /// Returns the number that a statement returns.
    func number(_ text: String) async throws -> Int { Int(try await sql(text)) ?? -1 }

    /// Blocks the transaction that creates more than `count` users.
    func holdWrites(above count: Int) async throws {
        try await sql(
            """
            CREATE FUNCTION public.hold_demo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF (SELECT count(*) FROM auth.users) > \(count) THEN PERFORM pg_sleep(60); END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER hold_demo AFTER INSERT ON auth.users FOR EACH STATEMENT EXECUTE FUNCTION public.hold_demo()
            """)
    }

    /// Waits until a transaction is blocked.
    ///
    /// - Returns: Whether one is, within half a minute.
    func waitsForHeldWrite(_ clock: some DeviceClock) async throws -> Bool {
        let end = clock.uptime + .seconds(30)
        while clock.uptime < end {
            if try await number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") > 0 { return true }
            try await clock.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Ends the blocked transaction of the killed client, and blocks no others.
    func release() async throws {
        try await sql(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'PgSleep';
            DROP TRIGGER hold_demo ON auth.users;
            DROP FUNCTION public.hold_demo()
            """)
    }
}
