import Lockstep
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreBenches
import PostgresServer
import Testing

@Suite("A PostgreSQL server that fails")
struct FailureTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    @Test func connectionsThatAreEndedLoseNothing() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        let isOver = Board(false)
        let killer = Task {
            while !isOver.value {
                try await place.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
            }
        }
        var revision: Revision?
        for number in 0..<150 {
            revision = try await store.replace(Self.key, with: Array("\(number)".utf8), unlessChangedSince: revision)
        }
        isOver.change { $0 = true }
        try await killer.value
        let last = try await store.load(Self.key)
        #expect(last == revision.map { StoredValue(bytes: Array("149".utf8), revision: $0) })
    }

    @Test func withoutSpaceTheOldValueStays() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        // What the server says when its disk is full.
        try await place.sql(
            """
            CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER fill AFTER UPDATE ON lockstep_sessions EXECUTE FUNCTION fill()
            """)
        do throws(StoreError) {
            try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
            Issue.record("it was stored")
        } catch { #expect(error.code == .full, "\(error)") }
        let value = try await store.load(Self.key)
        #expect(value == StoredValue(bytes: [1], revision: revision))
    }

    @Test func aServerThatIsNotThereIsUnreadableByTheLimit() async throws {
        var settings = PostgresSessionSettings()
        settings.limit = .milliseconds(200)
        let database = try PostgresSessionDatabase("host=/nowhere", keys: PostgresPlace.ring(), settings: settings)
        let store = try database.store(for: "ada")
        let clock = SystemClock()
        let began = clock.uptime
        for (code, call) in [
            (.unreadable, { () async throws(StoreError) in _ = try await store.load(Self.key) }),
            (
                .unwritable,
                { () async throws(StoreError) in try await store.replace(Self.key, with: [1], unlessChangedSince: nil) }
            ),
            (
                .unwritable,
                { () async throws(StoreError) in try await store.exclusively(Self.key, patience: .milliseconds(50)) {} }
            ),
        ] as [(StoreError.Code, () async throws(StoreError) -> Void)] {
            do throws(StoreError) {
                try await call()
                Issue.record("it was done")
            } catch { #expect(error.code == code, "\(error)") }
        }
        #expect(clock.uptime - began < .seconds(10))
    }

    @Test func aCancelledCallEnds() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        // Somebody locks the whole table; a load waits for it.
        let lock = Task {
            try await place.sql("BEGIN; LOCK TABLE lockstep_sessions; SELECT pg_sleep(2); COMMIT")
        }
        while try await place.sql("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted") == "0" {}
        let clock = SystemClock()
        let began = clock.uptime
        let load = Task {
            do throws(StoreError) {
                _ = try await store.load(Self.key)
                return StoreError.Code?.none
            } catch { return error.code }
        }
        load.cancel()
        let code = await load.value
        #expect(code == .unreadable)
        #expect(clock.uptime - began < .seconds(1))
        _ = try await lock.value
        let value = try await store.load(Self.key)
        #expect(value?.bytes == [1])
    }

    /// A primary that dies and a standby that is promoted: what was stored is there, and nobody notices but by waiting.
    @Test func aFailoverLosesNoSession() async throws {
        let server = try await PostgresServer(standby: true)
        let place = try await PostgresPlace(server: server)
        let database = try place.database()
        try await database.prepare()
        let users = (0..<8).map { "user \($0)" }
        let stored = Board<[String: StoredValue]>([:])
        let isPromoted = Board(false)
        let stores = try users.map { try database.store(for: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    var revision: Revision?
                    var number = 0
                    var after = 0
                    // Each goes on until it has replaced its session a few times on the new server.
                    while after < 5 {
                        number += 1
                        let isAfter = isPromoted.value
                        let bytes = Array("\(store.owner) \(number)".utf8)
                        revision = try await store.replace(Self.key, with: bytes, unlessChangedSince: revision)
                        let value = revision.map { StoredValue(bytes: bytes, revision: $0) }
                        stored.change { $0[store.owner] = value }
                        if isAfter { after += 1 }
                    }
                }
            }
            group.addTask {
                while stored.value.count < users.count { await Task.yield() }
                try await server.kill()
                let before = stored.value
                try await server.promote()
                isPromoted.change { $0 = true }
                #expect(before.count == users.count)
            }
            try await group.waitForAll()
        }
        for store in stores {
            let value = try await store.load(Self.key)
            #expect(value == stored.value[store.owner])
            try await store.exclusively(Self.key, patience: .seconds(5)) {}
        }
        try await server.stop()
    }
}
