import Lockstep
import LockstepInMemory
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("A PostgreSQL server that fails", .limitedConcurrency)
struct FailureTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    @Test func terminatedConnectionsLoseNothing() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        let isOver = Board(false)
        let killer = Task {
            defer { isOver.change { $0 = true } }
            try await place.sql(
                """
                DO $$ BEGIN
                    FOR round IN 1..60 LOOP
                        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid();
                        PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
                    END LOOP;
                END $$
                """)
        }
        var last: StoredValue?
        var number = 0
        while !isOver.value {
            number += 1
            let bytes = Array("\(number)".utf8)
            let revision = try await store.replace(Self.key, with: bytes, unlessChangedSince: last?.revision)
            last = StoredValue(bytes: bytes, revision: revision)
        }
        try await killer.value
        let value = try await store.load(Self.key)
        #expect(value == last)
    }

    @Test func fullDiskKeepsTheOldValue() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        // The server's error when its disk is full.
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

    @Test func missingServerIsReportedWithinTheLimit() async throws {
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
                { () async throws(StoreError) in try await store.exclusively(Self.key, lockTimeout: .milliseconds(50)) {} }
            ),
        ] as [(StoreError.Code, () async throws(StoreError) -> Void)] {
            do throws(StoreError) {
                try await call()
                Issue.record("it was done")
            } catch { #expect(error.code == code, "\(error)") }
        }
        // Far more than the limits take on a busy machine, and far less than forever.
        #expect(clock.uptime - began < .hangLimit)
    }

    @Test func cancelledCallEnds() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        // Another client locks the whole table; a load waits for it.
        let lock = Task { try await place.sql("BEGIN; LOCK TABLE lockstep_sessions; SELECT pg_sleep(300)") }
        let holders = "FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'lockstep_sessions'::regclass"
        while try await place.sql("SELECT count(*) \(holders)") == "0" {}
        let load = Task {
            do throws(StoreError) {
                _ = try await store.load(Self.key)
                return StoreError.Code?.none
            } catch { return error.code }
        }
        load.cancel()
        let code = await load.value
        #expect(code == .unreadable)
        try await place.sql("SELECT pg_terminate_backend(pid) \(holders)")
        await #expect(throws: (any Error).self) { try await lock.value }
        let value = try await store.load(Self.key)
        #expect(value?.bytes == [1])
    }

    /// A primary stops and a standby is promoted: stored values are there, and clients notice only a wait.
    @Test func failoverLosesNoSessionAndSignsNobodyOut() async throws {
        let server = try await PostgresServer(standby: true)
        do {
            try await Self.failOver(server)
        } catch {
            // Otherwise the servers would keep running after a failed test: a released process is killed, and they are its
            // children.
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    private static func failOver(_ server: PostgresServer) async throws {
        let place = try await PostgresPlace(server: server)
        let database = try place.database()
        try await database.prepare()
        try await Self.giveUpOnACommitThatWaits(server, place)
        let users = Board((written: 0, isPromoted: false))
        // Tokens that expire immediately: each use is a refresh, whose single-use token must not get lost.
        let backend = InMemoryBackend(InMemorySettings(tokenLife: .milliseconds(1)))
        let guests = try (0..<3).map { number in
            AuthClient(adapter: InMemoryAdapter(backend: backend), store: try database.store(for: "guest \(number)"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 { group.addTask { try await Self.write(to: try database.store(for: "user \(number)"), users) } }
            for guest in guests {
                group.addTask {
                    _ = try await guest.signIn(with: .anonymous)
                    var renewed = 0
                    users.change { $0.written += 1 }
                    while renewed < 3 {
                        let isPromoted = users.value.isPromoted
                        // It can fail while there is no server, and must stay signed in.
                        if (try? await guest.accessToken()) != nil, isPromoted { renewed += 1 }
                        #expect(guest.state.session != nil, "\(guest.state)")
                    }
                }
            }
            group.addTask {
                while users.value.written < 7 { await Task.yield() }
                try await server.kill()
                try await server.promote()
                users.change { $0.isPromoted = true }
            }
            try await group.waitForAll()
        }
        for (number, guest) in guests.enumerated() {
            let relaunched = AuthClient(
                adapter: InMemoryAdapter(backend: backend), store: try place.database().store(for: "guest \(number)"))
            let state = await relaunched.restore()
            #expect(state.session?.user.id == guest.state.session?.user.id)
            _ = try await relaunched.accessToken()
        }
    }

    /// A commit that waits for its standby must not be visible before the standby has it, also if its caller cancels.
    private static func giveUpOnACommitThatWaits(_ server: PostgresServer, _ place: PostgresPlace) async throws {
        // The first value of a key needs another commit for the key's check row. Here the commit of the value shall wait.
        try await place.database().store(for: "dan").replace(key, with: [0], unlessChangedSince: nil)
        let store = try place.database { $0.limit = .seconds(5) }.store(for: "carol")
        try await server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try await server.sql("SELECT pg_reload_conf()")
        var stored: StoredValue?
        var next: UInt8 = 0
        do throws(StoreError) {
            // Until the server has read the setting.
            while next < .max {
                next += 1
                let revision = try await store.replace(key, with: [next], unlessChangedSince: stored?.revision)
                stored = StoredValue(bytes: [next], revision: revision)
            }
            Issue.record("no commit waits for the standby")
        } catch { #expect(error.code == .unwritable, "\(error)") }
        let seen = try await store.load(key)
        #expect(seen == stored)
        try await server.sql("ALTER SYSTEM RESET synchronous_standby_names")
        try await server.sql("SELECT pg_reload_conf()")
        while try await store.load(key)?.bytes != [next] { await Task.yield() }
    }

    /// Replaces a value again and again.
    ///
    /// Each replace gets the revision of the last one, so a lost one would be noticed.
    private static func write(to store: PostgresSessionStore, _ users: Board<(written: Int, isPromoted: Bool)>) async throws {
        var revision: Revision?
        var after = 0
        while after < 5 {
            let isPromoted = users.value.isPromoted
            let isFirst = revision == nil
            revision = try await store.replace(key, with: [UInt8(after)], unlessChangedSince: revision)
            if isFirst { users.change { $0.written += 1 } }
            if isPromoted { after += 1 }
        }
        let value = try await store.load(key)
        #expect(value?.revision == revision)
        try await store.exclusively(key, lockTimeout: .hangLimit) {}
    }
}
