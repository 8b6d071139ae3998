import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("Ids in the app's tables", .limitedConcurrency) struct IDRewriteTests {
    private static let ids = ["ada", "o'b", "back\\slash", "{\"q\",x}", "\u{e9}", "e\u{301}", "$lockstep$"]

    /// A run whose users are on the target, with UUIDs, and a database with the app's tables.
    private static func with(_ body: (RunFolder, PostgresServer, String) async throws -> Void) async throws {
        let parent = try Folder.makeTemporary(prefix: "lockstep-rewrite")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let run = try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
        defer { run.close() }
        try await run.journal.begin(RunHead(source: "a", target: "b"))
        try await run.journal.plan(
            (ids + ["refused"]).enumerated().map { place, id in
                PlannedUser(
                    sourceID: id, targetID: "00000000-0000-4000-8000-00000000000\(place)", state: .planned, reason: nil,
                    digest: [1],
                    claims: [])
            })
        _ = try await run.journal.settlePlan()
        let users = try await run.journal.users(after: 0, limit: 100)
        try await run.journal.settle(users.dropLast().map { Settlement($0.number, .complete) })
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let list = ids.map { "(\($0.sqlText))" }.joined(separator: ",")
        try await server.sql(
            """
            CREATE SCHEMA "App; drop";
            CREATE TABLE "App; drop"."Profile" (id text PRIMARY KEY, note text, changed timestamptz DEFAULT '2020-01-01');
            CREATE TABLE orders (
                n serial PRIMARY KEY, user_id text NOT NULL REFERENCES "App; drop"."Profile" (id) ON DELETE CASCADE,
                by text CONSTRAINT by_someone REFERENCES "App; drop"."Profile" (id) DEFERRABLE INITIALLY DEFERRED);
            CREATE INDEX ON orders (user_id);
            CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.changed = now(); RETURN NEW; END';
            CREATE TRIGGER touch BEFORE UPDATE ON "App; drop"."Profile" FOR EACH ROW EXECUTE FUNCTION touch();
            INSERT INTO "App; drop"."Profile" (id) VALUES \(list);
            INSERT INTO orders (user_id, by) SELECT p.id, CASE WHEN g % 3 = 0 THEN p.id END
                FROM "App; drop"."Profile" p, generate_series(1, 50) g ORDER BY g, p.id;
            """, in: address)
        try await body(run, server, address)
    }

    private static func script(
        _ run: RunFolder, _ columns: String, isReverse: Bool = false, leaves: Bool = false, chunk: Int? = nil
    ) async throws -> String {
        var text = ""
        let rewrite = try IDRewrite(try IDColumn.list(columns), leavesUnmapped: leaves, chunk: chunk)
        _ = try await rewrite.write(run, isReverse: isReverse) { text += $0 }
        return text
    }

    /// All rows in the order of their keys, the columns, the constraints, the triggers, and the sequence.
    private static func state(_ server: PostgresServer, _ address: String) async throws -> String {
        try await server.sql(
            """
            SELECT p FROM "App; drop"."Profile" p ORDER BY id COLLATE "C";
            SELECT o FROM orders o ORDER BY n;
            SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute
                WHERE attnum > 0 AND attrelid IN ('orders'::regclass, '"App; drop"."Profile"'::regclass) ORDER BY 1, 2;
            SELECT conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
                WHERE conrelid IN ('orders'::regclass, '"App; drop"."Profile"'::regclass) ORDER BY 1, 2;
            SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2;
            SELECT last_value, is_called FROM orders_n_seq;
            """, in: address)
    }

    private static let columns = "\"App; drop\".\"Profile\".id:uuid, orders.user_id:uuid, Orders.BY:uuid"

    @Test(.covers("M32")) func thereAndBackLeavesTheSame() async throws {
        try await Self.with { run, server, address in
            let before = try await Self.state(server, address)
            try await server.sql(try await Self.script(run, Self.columns), in: address)
            let there = try await server.sql(
                "SELECT user_id, pg_typeof(user_id), count(*) FROM orders GROUP BY 1 ORDER BY 1", in: address)
            let expected = Self.ids.indices.map { "00000000-0000-4000-8000-00000000000\($0)|uuid|50" }
            #expect(there.split(separator: "\n").map(String.init) == expected)
            // Nobody's trigger has fired.
            #expect(
                try await server.sql("SELECT count(*) FROM \"App; drop\".\"Profile\" WHERE changed > '2020-01-02'", in: address)
                    == "0")
            // A second time, the rows have no entry any more.
            let again = try await Self.script(run, Self.columns.replacing(":uuid", with: ""))
            await #expect(throws: (any Error).self) { try await server.sql(again, in: address) }
            try await server.sql(try await Self.script(run, Self.columns, isReverse: true), in: address)
            #expect(try await Self.state(server, address) == before)
        }
    }

    @Test(.covers("M32")) func rowWithoutAnEntryStopsOrStays() async throws {
        try await Self.with { run, server, address in
            try await server.sql("INSERT INTO \"App; drop\".\"Profile\" (id) VALUES ('refused'), ('stranger')", in: address)
            let before = try await Self.state(server, address)
            let columns = Self.columns.replacing(":uuid", with: "")
            let script = try await Self.script(run, columns)
            let error = await #expect(throws: (any Error).self) { try await server.sql(script, in: address) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("refused, stranger"))
            #expect(try await Self.state(server, address) == before)
            try await server.sql(try await Self.script(run, columns, leaves: true), in: address)
            #expect(
                try await server.sql(
                    "SELECT count(*) FROM \"App; drop\".\"Profile\" WHERE id IN ('refused', 'stranger')", in: address) == "2")
            #expect(try await server.sql("SELECT count(*) FROM orders WHERE user_id = 'ada'", in: address) == "0")
        }
    }

    private static let plainColumns = columns.replacing(":uuid", with: "")

    /// Runs a script to its end, in chunks of a page each, and returns its error.
    private static func runInSession(
        _ run: RunFolder, columns: String = IDRewriteTests.plainColumns, isReverse: Bool = false, chunk: Int? = 1,
        _ server: PostgresServer, _ address: String
    ) async throws -> String {
        let script = try await "\\set ON_ERROR_STOP on\n" + Self.script(run, columns, isReverse: isReverse, chunk: chunk)
        return try await BlockingThread.run {
            let session = try server.session(in: address)
            try session.write(Array(script.utf8))
            session.finishInput()
            var errors: [UInt8] = []
            while case let part = try session.readErrors(), !part.isEmpty { errors += part }
            return try session.wait() == 0 ? "" : String(decoding: errors, as: UTF8.self)
        }
    }

    /// Opens a transaction that holds a lock until its input ends.
    private static func lock(
        _ statement: String, _ server: PostgresServer, _ address: String
    ) async throws -> ChildProcess {
        let session = try await BlockingThread.run {
            let session = try server.session(in: address)
            try session.write(Array("BEGIN; \(statement);\n".utf8))
            return session
        }
        try await wait(for: "state = 'idle in transaction' AND query LIKE '%\(statement)%'", server, address)
        return session
    }

    /// The sessions that wait for a lock.
    private static let waiting = "wait_event_type = 'Lock'"

    /// Returns when a session fulfils a condition.
    private static func wait(for condition: String, _ server: PostgresServer, _ address: String) async throws {
        try await server.sql(
            """
            DO $$ BEGIN
                WHILE NOT EXISTS (
                    SELECT FROM pg_stat_activity WHERE \(condition) AND datname = current_database() AND pid <> pg_backend_pid()) LOOP
                    PERFORM pg_sleep(0.01);
                    PERFORM pg_stat_clear_snapshot();
                END LOOP;
            END $$
            """, in: address)
    }

    /// Killed within a chunk, or after the last one before the keys are back; then run again, or taken back at once.
    @Test(.covers("M32"), arguments: [false, true], [false, true])
    func killedChunksContinueInBothDirections(_ isAtTheEnd: Bool, _ isTakenBack: Bool) async throws {
        try await Self.with { run, server, address in
            let before = try await Self.state(server, address)
            let script = try await Self.script(run, Self.plainColumns, chunk: 1)
            // The keys are dropped in a transaction of their own.
            let beginning = try #require(script.firstRange(of: "\nCOMMIT;\n")).upperBound
            let session = try await BlockingThread.run {
                let session = try server.session(in: address)
                try session.write(Array(script[..<beginning].utf8))
                return session
            }
            try await Self.wait(for: "state = 'idle' AND query = 'COMMIT;'", server, address)
            let row = try await Self.lock("SELECT n FROM orders ORDER BY n DESC LIMIT 1 FOR UPDATE", server, address)
            try await BlockingThread.run { try session.write(Array(script[beginning...].utf8)) }
            try await Self.wait(for: Self.waiting, server, address)
            let counts = "SELECT count(*) FILTER (WHERE user_id LIKE '0000%'), count(*) FROM orders"
            let done = try await server.sql(counts, in: address).split(separator: "|").compactMap { Int($0) }
            #expect(done.count == 2 && done[0] > 0 && done[0] < done[1], "\(done)")
            if isAtTheEnd {
                let table = try await Self.lock("LOCK TABLE orders IN ROW EXCLUSIVE MODE", server, address)
                row.finishInput()
                _ = try await BlockingThread.run { try row.wait() }
                try await Self.wait(for: Self.waiting, server, address)
                #expect(try await server.sql(counts, in: address) == "350|350")
                try await Self.kill(session, server, address)
                table.finishInput()
                _ = try await BlockingThread.run { try table.wait() }
            } else {
                try await Self.kill(session, server, address)
                row.finishInput()
                _ = try await BlockingThread.run { try row.wait() }
            }
            let keys = "SELECT count(*) FROM pg_constraint WHERE conrelid = 'orders'::regclass AND contype = 'f'"
            #expect(try await server.sql(keys, in: address) == "0")
            if !isTakenBack {
                #expect(try await Self.runInSession(run, isReverse: false, server, address) == "")
                #expect(try await server.sql(counts, in: address) == "350|350")
                #expect(try await server.sql(keys + " AND convalidated", in: address) == "2")
            }
            #expect(try await Self.runInSession(run, isReverse: true, server, address) == "")
            #expect(try await Self.state(server, address) == before)
            #expect(
                try await server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'lockstep_rewrite'", in: address) == "0")
        }
    }

    private static func kill(_ session: ChildProcess, _ server: PostgresServer, _ address: String) async throws {
        try await server.sql(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE \(waiting) AND datname = current_database()
            """, in: address)
        session.kill()
        _ = try await BlockingThread.run { try session.wait() }
    }

    @Test func chunksRefuseAChangeOfTypeAndStrangeRows() async throws {
        let error = #expect(throws: MigrationError.self) {
            try IDRewrite(try IDColumn.list("a.b:uuid"), leavesUnmapped: false, chunk: 1)
        }
        #expect(error?.code == .rewrite)
        try await Self.with { run, server, address in
            try await server.sql("INSERT INTO \"App; drop\".\"Profile\" (id) VALUES ('stranger')", in: address)
            let before = try await Self.state(server, address)
            #expect(try await Self.runInSession(run, isReverse: false, server, address).contains("stranger"))
            #expect(try await Self.state(server, address) == before)
        }
    }

    /// Tables of others with the script's names, a name with the mark of its blocks, and triggers of partitions.
    @Test(.covers("M32"), arguments: [nil, 1] as [Int?])
    func strangersAndTriggersOfPartitionsStay(_ chunk: Int?) async throws {
        try await Self.with { run, server, address in
            try await server.sql(
                """
                CREATE TABLE lockstep_keys (relation regclass, name text, oid oid, definition text, PRIMARY KEY (relation, name));
                INSERT INTO lockstep_keys VALUES ('orders', 'x; CREATE TABLE stolen ()', 1, '');
                CREATE TABLE lockstep_map (old_id text, new_id text);
                INSERT INTO lockstep_map VALUES ('mine', 'mine');
                CREATE TABLE parts ("$lockstep$" text, n int, changed timestamptz) PARTITION BY LIST (n);
                CREATE TABLE part_one PARTITION OF parts FOR VALUES IN (1);
                CREATE TABLE part_two PARTITION OF parts FOR VALUES IN (2);
                CREATE TRIGGER every BEFORE UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION touch();
                ALTER TABLE part_two DISABLE TRIGGER every;
                CREATE TRIGGER own BEFORE UPDATE ON part_one FOR EACH ROW EXECUTE FUNCTION touch();
                INSERT INTO parts VALUES ('ada', 1), ('ada', 2);
                """, in: address)
            let before = try await Self.state(server, address)
            #expect(try await Self.runInSession(run, columns: "parts.\"$lockstep$\"", chunk: chunk, server, address) == "")
            #expect(try await Self.state(server, address) == before)
            let left = try await server.sql(
                "SELECT * FROM parts ORDER BY n; SELECT * FROM lockstep_map; SELECT to_regclass('stolen') IS NULL", in: address)
            let ada = "00000000-0000-4000-8000-000000000000"
            #expect(left == "\(ada)|1|\n\(ada)|2|\nmine|mine\nt")
        }
    }

    @Test(arguments: [nil, 1] as [Int?]) func idsThatDoNotFitChangeNothing(_ chunk: Int?) async throws {
        try await Self.with { run, server, address in
            try await server.sql("ALTER TABLE orders ADD short varchar(28); UPDATE orders SET short = user_id", in: address)
            let before = try await Self.state(server, address)
            let columns = Self.plainColumns + ", orders.short"
            let error = try await Self.runInSession(run, columns: columns, chunk: chunk, server, address)
            #expect(error.contains("holds 28 characters"))
            #expect(try await Self.state(server, address) == before)
            try await server.sql(try await Self.script(run, "orders.short:uuid"), in: address)
        }
    }

    /// Half of a foreign key, a column that does not exist, and one of another type change nothing.
    @Test(arguments: ["orders.user_id", "orders.nobody", "orders.n", "elsewhere.id", "\"App; drop\".\"Profile\".id"])
    func unusableColumnChangesNothing(_ columns: String) async throws {
        try await Self.with { run, server, address in
            let before = try await Self.state(server, address)
            let script = try await Self.script(run, columns)
            await #expect(throws: (any Error).self) { try await server.sql(script, in: address) }
            #expect(try await Self.state(server, address) == before)
        }
    }

    @Test func columnsAreReadAsSQLNamesThem() throws {
        let list = try IDColumn.list("Orders.User_ID, \"a.b\".\"c\"\"d\".\"E\":text,x.y:uuid")
        #expect(list.map(\.tableName) == ["\"orders\"", "\"a.b\".\"c\"\"d\"", "\"x\""])
        #expect(list.map(\.name) == ["user_id", "E", "y"] && list.map(\.form) == [nil, .text, .uuid])
        for text in ["", "orders", "a.b.c.d", "a.b,", "a..b", "a.\"b", "a.b;drop", "a.b:int", "a b.c", "a.b c", "a.\"\""] {
            let error = #expect(throws: MigrationError.self, "\(text)") { try IDColumn.list(text) }
            #expect(error?.code == .rewrite)
        }
    }

    @Test func runWithoutUsersOnTheTargetHasNoScript() async throws {
        let parent = try Folder.makeTemporary(prefix: "lockstep-rewrite")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let run = try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
        defer { run.close() }
        try await run.journal.begin(RunHead(source: "a", target: "b"))
        let error = await #expect(throws: MigrationError.self) { try await Self.script(run, "a.b") }
        #expect(error?.code == .rewrite)
    }
}
