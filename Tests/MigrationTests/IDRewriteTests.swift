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
        _ run: RunFolder, _ columns: String, isReverse: Bool = false, leaves: Bool = false
    ) async throws -> String {
        var text = ""
        let rewrite = IDRewrite(try IDColumn.list(columns), leavesUnmapped: leaves)
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
