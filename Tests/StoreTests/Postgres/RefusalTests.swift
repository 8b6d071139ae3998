import Lockstep
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Errors of PostgreSQL that the next attempt would get, too.
@Suite("A PostgreSQL server that rejects", .limitedConcurrency)
struct RefusalTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    /// A database whose calls fail immediately instead of waiting for another attempt, with the error of the first attempt.
    private func database(_ address: String) throws -> PostgresSessionDatabase {
        try PostgresSessionDatabase(Secret(address), keys: PostgresPlace.ring(), clock: ClockWithoutPauses())
    }

    private func expectRefusal(
        _ state: String, of database: PostgresSessionDatabase, _ line: SourceLocation = #_sourceLocation
    ) async throws {
        let store = try database.store(for: "ada")
        let calls: [(StoreError.Code, () async throws(StoreError) -> Void)] = [
            (.unreadable, { () async throws(StoreError) in _ = try await store.load(Self.key) }),
            (
                .unwritable,
                { () async throws(StoreError) in try await store.replace(Self.key, with: [1], unlessChangedSince: nil) }
            ),
            (.unwritable, { () async throws(StoreError) in try await store.remove(Self.key) }),
        ]
        for (code, call) in calls {
            do throws(StoreError) {
                try await call()
                Issue.record("it was done", sourceLocation: line)
            } catch {
                #expect(error.code == code && error.message.contains(state), "\(error)", sourceLocation: line)
                #expect(!error.message.contains("connects anew"), "\(error)", sourceLocation: line)
            }
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("dbname=absent", "3D000"), ("user=absent", "28000"), ("user=asks_password", "28P01"),
            ("user=asks_password password=wrong", "28P01"),
        ])
    func rejectedConnectionIsNotRetried(_ change: String, _ state: String) async throws {
        let place = try await PostgresPlace()
        if change.contains("asks_password") {
            try await place.sql(
                """
                DO $$ BEGIN CREATE ROLE asks_password LOGIN PASSWORD 'right';
                EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                """)
        }
        // libpq uses the last value of a name.
        let database = try database("\(place.address) \(change)")
        try await expectRefusal(state, of: database)
        do throws(StoreError) {
            try await database.store(for: "ada").exclusively(Self.key, lockTimeout: .seconds(10)) {}
            Issue.record("the lock was taken")
        } catch { #expect(error.code == .unwritable && error.message.contains(state), "\(error)") }
        do throws(StoreError) {
            try await database.prepare()
            Issue.record("the tables were made")
        } catch { #expect(error.code == .unwritable && error.message.contains(state), "\(error)") }
    }

    @Test(.timeLimit(.minutes(5)))
    func missingPermissionIsNotRetried() async throws {
        let place = try await PostgresPlace()
        try await place.database().prepare()
        try await place.sql(
            """
            DO $$ BEGIN CREATE ROLE may_nothing LOGIN;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
            """)
        try await expectRefusal("42501", of: database("\(place.address) user=may_nothing"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["0A000", "42501", "3F000", "22000"])
    func rejectedStatementIsNotRetried(_ state: String) async throws {
        let place = try await PostgresPlace()
        try await place.database().prepare()
        try await place.sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '\(state)'; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON lockstep_sessions EXECUTE FUNCTION refuse()
            """)
        let store = try database(place.address).store(for: "ada")
        do throws(StoreError) {
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            Issue.record("it was done")
        } catch { #expect(error.code == .unwritable && error.message.contains(state), "\(error)") }
    }

    @Test(.timeLimit(.minutes(5)))
    func missingSchemaIsNamed() async throws {
        let place = try await PostgresPlace()
        let database = try database("\(place.address) options=-csearch_path=absent")
        do throws(StoreError) {
            try await database.prepare()
            Issue.record("the tables were made")
        } catch { #expect(error.code == .unwritable && error.message.contains("3F000"), "\(error)") }
    }
}

/// A clock with the real time on which nothing can wait.
private struct ClockWithoutPauses: DeviceClock {
    private let clock = SystemClock()
    var now: Instant { clock.now }
    var uptime: Duration { clock.uptime }
    var bootID: String { clock.bootID }
    var hostID: String? { clock.hostID }

    func sleep(for duration: Duration) async throws { throw PauseRefused() }
}

private struct PauseRefused: Error {}
