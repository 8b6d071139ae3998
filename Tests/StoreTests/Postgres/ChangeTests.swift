import Lockstep
import LockstepInMemory
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite("Change notifications of PostgreSQL", .limitedConcurrency)
struct ChangeTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)
    private static let other = StoreKey(provider: "acme", backend: "https://acme.example", slot: .flow)

    @Test func listeningMachineIsNotifiedOfAChange() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let here = try database.store(for: "ada")
        let (there, stranger) = (try place.database().store(for: "ada"), try place.database().store(for: "bob"))
        var changes = here.changes(of: [Self.key]).makeAsyncIterator()
        // The first notification comes when listening has started.
        let begun = await changes.next()
        #expect(begun == Self.key)
        try await stranger.replace(Self.key, with: [1], unlessChangedSince: nil)
        try await there.replace(Self.other, with: [1], unlessChangedSince: nil)
        let revision = try await there.replace(Self.key, with: [2], unlessChangedSince: nil)
        await #expect(changes.next() == Self.key)
        let loaded = try await here.load(Self.key)
        #expect(loaded == StoredValue(bytes: [2], revision: revision))
        // The other changes caused no notification. The next one is the removal.
        try await there.remove(Self.key, unlessChangedSince: revision)
        await #expect(changes.next() == Self.key)
        let gone = try await here.load(Self.key)
        #expect(gone == nil)
    }

    /// Two machines with one session: when one machine refreshes, a notification makes the other one use the new session without
    /// a request.
    @Test func listeningClientUsesTheSessionOfAnotherMachine() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let clock = ManualClock(base: FixedClock())
        let backend = InMemoryBackend(clock: clock)
        let effects = ClientEffects(clock: clock, randomness: SystemRandomness())
        let store = try database.store(for: "ada")
        let here = AuthClient(adapter: InMemoryAdapter(backend: backend, clock: clock), store: store, effects: effects)
        let there = AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: try place.database().store(for: "ada"),
            effects: effects)
        _ = try await there.signIn(with: .anonymous)
        await here.restore()
        let old = try await here.accessToken()
        var changes = store.changes(of: [here.sessionKey]).makeAsyncIterator()
        _ = await changes.next()
        clock.advance(by: .seconds(3600))
        let renewed = try await there.accessToken()
        #expect(renewed != old)
        let sent = backend.traffic.requests.count
        _ = await changes.next()
        let state = await here.reloadFromStore()
        #expect(state.session?.accessToken == renewed)
        #expect(try await here.accessToken() == renewed)
        #expect(backend.traffic.requests.count == sent)
        try await there.signOut(discardingAnonymousUser: true)
        _ = await changes.next()
        #expect(await here.reloadFromStore() == .signedOut(.endedElsewhere))
    }

    @Test func afterALostConnectionEveryKeyIsReported() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        var changes = try database.store(for: "ada").changes(of: [Self.key]).makeAsyncIterator()
        _ = await changes.next()
        try await place.sql(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        await #expect(changes.next() == Self.key)
    }

    @Test func listeningEndsWithTheLastStream() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let store = try database.store(for: "ada")
        for _ in 0..<3 {
            let task = Task { for await _ in store.changes(of: [Self.key, Self.other]) { return } }
            await task.value
        }
        // Listening ends and starts again, and then ends for good: its connection closes.
        let clock = SystemClock()
        let began = clock.uptime
        while try await place.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'") != "0"
        {
            guard clock.uptime - began < .hangLimit else {
                Issue.record("it goes on listening")
                return
            }
        }
    }

    @Test func serverWithoutNotificationsIsSupported() async throws {
        let place = try await PostgresPlace()
        let name = try await place.sql("SELECT current_database()")
        try await place.sql(
            """
            CREATE SCHEMA shadow;
            CREATE FUNCTION shadow.pg_notify(text, text) RETURNS void LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'not implemented' USING ERRCODE = '0A000'; END $$;
            ALTER DATABASE \(name) SET search_path = shadow, public, pg_catalog
            """)
        let database = try place.database { $0.notifies = false }
        try await database.prepare()
        let store = try database.store(for: "ada")
        let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
        try await store.remove(Self.key)
        // The same change with a notification fails completely, and nothing is stored.
        let telling = try place.database().store(for: "ada")
        await #expect(throws: StoreError.self) { try await telling.replace(Self.key, with: [3], unlessChangedSince: nil) }
        let loaded = try await store.load(Self.key)
        #expect(loaded == nil)
    }
}
