import Lockstep
import LockstepPostgresStore
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("The tables of the PostgreSQL store", .limitedConcurrency)
struct SchemaTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    @Test func processesCanCreateTheTablesTogether() async throws {
        let place = try await PostgresPlace()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await place.database().prepare() } }
            try await group.waitForAll()
        }
        let versions = try await place.sql("SELECT version FROM lockstep_schema")
        #expect(versions == "\(PostgresSchema.version)")
    }

    /// Another process creates the type of a table after the server has looked for the table and before it creates the table.
    @Test func concurrentTableCreationIsRetried() async throws {
        let place = try await PostgresPlace()
        try await place.sql(
            """
            CREATE SEQUENCE makings;
            CREATE FUNCTION meet() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('makings') = 1 THEN CREATE TYPE lockstep_schema AS ENUM (); END IF;
            END $$;
            CREATE EVENT TRIGGER meets ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION meet();
            """)
        try await place.database().prepare()
        let versions = try await place.sql("SELECT version FROM lockstep_schema")
        #expect(versions == "\(PostgresSchema.version)")
    }

    @Test func teamCanCreateTheTablesItself() async throws {
        let place = try await PostgresPlace()
        let store = try place.database().store(for: "ada")
        do throws(StoreError) {
            _ = try await store.load(Self.key)
            Issue.record("it said nothing is there")
        } catch {
            #expect(error.code == .unreadable)
            #expect(error.message.contains("PostgresSchema.sql"))
        }
        try await place.sql(PostgresSchema.sql)
        try await place.sql(PostgresSchema.sql)
        try await place.database().prepare()
        try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
    }

    @Test(
        "An unusable schema is named",
        arguments: [
            (PostgresSchema.sql + "INSERT INTO lockstep_schema VALUES (99)", "99"),
            ("CREATE TYPE lockstep_schema AS ENUM ()", "lockstep_schema"),
        ])
    func unusableSchemaIsNamed(_ present: String, naming name: String) async throws {
        let place = try await PostgresPlace()
        try await place.sql(present)
        let database = try place.database()
        do throws(StoreError) {
            try await database.prepare()
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .unwritable)
            #expect(error.message.contains(name))
        }
    }
}
