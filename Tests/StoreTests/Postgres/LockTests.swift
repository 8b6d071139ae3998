import Lockstep
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("Sections in PostgreSQL", .limitedConcurrency)
struct LockTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)
    static let locks: [PostgresSessionSettings.LockKind] = [.automatic, .advisory, .row]

    @Test(arguments: locks)
    func machinesExcludeEachOther(_ lock: PostgresSessionSettings.LockKind) async throws {
        let place = try await PostgresPlace(lock: lock)
        try await place.database().prepare()
        let stores = try (0..<3).map { _ in try place.database().store(for: "ada") }
        let inside = Board((now: 0, most: 0, total: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    try await stores[number % 3].exclusively(Self.key, lockTimeout: .hangLimit) {
                        inside.change { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.total + 1) }
                        for _ in 0..<20 { await Task.yield() }
                        inside.change { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.value.most == 1)
        #expect(inside.value.total == 30)
    }

    @Test(arguments: locks)
    func waitEndsAtItsDeadlineAndBlocksNoOtherUser(_ lock: PostgresSessionSettings.LockKind) async throws {
        let place = try await PostgresPlace(lock: lock)
        try await place.database().prepare()
        let (holder, waiter) = (try place.database(), try place.database())
        try await holder.store(for: "ada").exclusively(Self.key, lockTimeout: .hangLimit) {
            for lockTimeout in [Duration.zero, .milliseconds(30)] {
                do throws(StoreError) {
                    try await waiter.store(for: "ada").exclusively(Self.key, lockTimeout: lockTimeout) {}
                    Issue.record("two are inside")
                } catch { #expect(error.code == .busy, "\(error)") }
            }
            do throws(StoreError) {
                let bob = try waiter.store(for: "bob")
                try await bob.exclusively(Self.key, lockTimeout: .zero) {}
                // The work under the lock uses the store.
                try await bob.replace(Self.key, with: [1], unlessChangedSince: nil)
            } catch { Issue.record("\(error)") }
        }
        try await waiter.store(for: "ada").exclusively(Self.key, lockTimeout: .zero) {}
    }

    @Test(arguments: locks)
    func sectionOfAStoppedMachineIsReleased(_ lock: PostgresSessionSettings.LockKind) async throws {
        let place = try await PostgresPlace(lock: lock)
        try await place.database().prepare()
        let (holder, waiter) = (try place.database().store(for: "ada"), try place.database().store(for: "ada"))
        try await holder.exclusively(Self.key, lockTimeout: .hangLimit) {
            do {
                // The server's view of a stopped machine: its connections end.
                try await place.sql(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                    WHERE datname = current_database() AND state = 'idle in transaction'
                    """)
                try await waiter.exclusively(Self.key, lockTimeout: .hangLimit) {}
            } catch { Issue.record("\(error)") }
        }
        // Its own connection is replaced.
        try await holder.exclusively(Self.key, lockTimeout: .hangLimit) {}
    }

    /// As many slow refreshes as there are connections, and more.
    ///
    /// No other user waits for them.
    @Test(.timeLimit(.minutes(10)), arguments: locks)
    func slowSectionsBlockNobodyElse(_ lock: PostgresSessionSettings.LockKind) async throws {
        let place = try await PostgresPlace(lock: lock)
        try await place.database().prepare()
        let (machine, other) = (try place.database { $0.lockConnections = 2 }, try place.database())
        let (end, isOver) = AsyncStream<Void>.makeStream()
        let inside = Board(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await machine.store(for: "slow \(number)").exclusively(Self.key, lockTimeout: .hangLimit) {
                        inside.change { $0 += 1 }
                        for await _ in end {}
                    }
                }
            }
            while inside.value < 8 { await Task.yield() }
            for round in 0..<3 {
                try await machine.store(for: "quick").exclusively(Self.key, lockTimeout: .hangLimit) {
                    do { try await machine.store(for: "quick").replace(Self.key, with: [1], unlessChangedSince: nil) } catch {
                        #expect(round > 0, "\(error)")
                    }
                }
            }
            let held = try await place.sql(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
                """)
            #expect(held == "2", "they have no more connections than they may")
            for number in 0..<8 {
                do throws(StoreError) {
                    try await other.store(for: "slow \(number)").exclusively(Self.key, lockTimeout: .zero) {}
                    Issue.record("two are inside")
                } catch { #expect(error.code == .busy, "\(error)") }
            }
            isOver.finish()
            try await group.waitForAll()
        }
        for owner in (0..<8).map({ "slow \($0)" }) + ["quick"] {
            try await other.store(for: owner).exclusively(Self.key, lockTimeout: .hangLimit) {}
        }
    }

    /// A server that has ended the connections of slow locks does not block other callers during that work.
    @Test(.timeLimit(.minutes(10)))
    func lostConnectionsOfSlowSectionsAreReplaced() async throws {
        let place = try await PostgresPlace()
        try await place.database().prepare()
        let machine = try place.database { $0.lockConnections = 2 }
        let (end, isOver) = AsyncStream<Void>.makeStream()
        let inside = Board(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    try await machine.store(for: "slow \(number)").exclusively(Self.key, lockTimeout: .hangLimit) {
                        inside.change { $0 += 1 }
                        for await _ in end {}
                    }
                }
            }
            while inside.value < 4 { await Task.yield() }
            try await place.sql(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'idle in transaction'
                """)
            for owner in ["quick", "quicker", "quickest"] {
                try await machine.store(for: owner).exclusively(Self.key, lockTimeout: .hangLimit) {}
            }
            isOver.finish()
            try await group.waitForAll()
        }
        try await machine.store(for: "slow 0").exclusively(Self.key, lockTimeout: .hangLimit) {}
    }

    @Test func silentMachineLosesItsSection() async throws {
        let place = try await PostgresPlace()
        try await place.database().prepare()
        let holder = try place.database { $0.lockLimit = .milliseconds(100) }.store(for: "ada")
        let waiter = try place.database().store(for: "ada")
        try await holder.exclusively(Self.key, lockTimeout: .hangLimit) {
            do { try await waiter.exclusively(Self.key, lockTimeout: .hangLimit) {} } catch { Issue.record("\(error)") }
        }
    }

    /// Clusters without advisory locks: one where the functions do nothing, one where no role may call them.
    @Test(arguments: [
        """
        CREATE FUNCTION shadow.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
        """,
        """
        CREATE FUNCTION shadow.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'not implemented' USING ERRCODE = '0A000'; END $$;
        """,
    ])
    func rowsAreLockedWithoutAdvisoryLocks(_ function: String) async throws {
        let place = try await PostgresPlace()
        let name = try await place.sql("SELECT current_database()")
        try await place.sql(
            """
            CREATE SCHEMA shadow;
            \(function)
            ALTER DATABASE \(name) SET search_path = shadow, public, pg_catalog
            """)
        try await place.database().prepare()
        let (holder, waiter) = (try place.database().store(for: "ada"), try place.database().store(for: "ada"))
        try await holder.exclusively(Self.key, lockTimeout: .hangLimit) {
            do throws(StoreError) {
                try await waiter.exclusively(Self.key, lockTimeout: .milliseconds(30)) {}
                Issue.record("two are inside")
            } catch { #expect(error.code == .busy, "\(error)") }
        }
        let rows = try await place.sql("SELECT count(*) FROM lockstep_sections")
        #expect(rows == "1")
    }
}
