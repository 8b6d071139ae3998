import LockstepDirectoryContracts
import LockstepGoTrueDatabase
import LockstepHTTP
import LockstepStoreHarnesses
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Commits of a real PostgreSQL whose responses are lost.
@Suite("Lost responses", .limitedConcurrency, .timeLimit(.minutes(10)))
struct LostCommitTests {
    private static let harness = GoTrueDatabaseHarness()

    /// A server whose commits of users wait for a standby that never comes, and become visible and permanent when they are cut
    /// off (https://www.postgresql.org/docs/15/warm-standby.html#SYNCHRONOUS-REPLICATION).
    private static func withWaitingCommits(_ body: (GoTrueDatabaseProject) async throws -> Void) async throws {
        let server = try await PostgresServer()
        do {
            try await harness.with(server: server) { project in
                try await project.sql(
                    """
                    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        PERFORM set_config('synchronous_commit', 'on', true); RETURN coalesce(new, old); END $$;
                    CREATE TRIGGER wait BEFORE INSERT OR UPDATE OR DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION wait()
                    """)
                try await server.sql("ALTER SYSTEM SET synchronous_commit = 'local'")
                try await server.sql("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
                try await server.sql("SELECT pg_reload_conf()")
                try await body(project)
            }
        } catch {
            // Otherwise the server would keep running after a failed test.
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// Waits for a waiting commit, and ends its connection.
    private static func cutOff(_ project: GoTrueDatabaseProject) async throws {
        try await project.sql(
            """
            DO $$ BEGIN LOOP
                PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';
                EXIT WHEN FOUND;
                PERFORM pg_stat_clear_snapshot(), pg_sleep(0.005);
            END LOOP; END $$
            """)
    }

    /// The commit of an error whose response was lost, or a description of another result.
    private static func commit(_ error: AuthError?) throws -> GoTrueLostCommit {
        let error = try #require(error)
        guard case .unknown = DirectoryOutcome(of: error) else {
            Issue.record("told as known: \(error)")
            throw error
        }
        return try #require(error.underlying as? GoTrueLostCommit, "\(error)")
    }

    private static func error(_ body: () async throws -> Void) async -> AuthError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AuthError
        }
    }

    /// Makes a call whose commit is cut off, and asks for its result.
    private static func end(
        of project: GoTrueDatabaseProject, _ database: GoTrueDatabase, _ call: @Sendable () async throws -> Void
    ) async throws -> GoTrueLostCommit.End {
        async let cut: Void = cutOff(project)
        let error = await error(call)
        try await cut
        return try await database.end(of: commit(error))
    }

    private static func named(_ name: String) -> NewDirectoryUser { NewDirectoryUser(email: "\(name)@example.com") }

    @Test func lostCommitIsFoundCommitted() async throws {
        try await Self.withWaitingCommits { project in
            let database = try project.database()
            // A batch. Nothing waits until the server has read its settings.
            async let cut: Void = Self.cutOff(project)
            var number = 0
            var outcomes: [DirectoryOutcome] = []
            repeat {
                number += 1
                outcomes = await database.create([Self.named("a\(number)"), Self.named("b\(number)")])
            } while outcomes.allSatisfy { $0.error == nil }
            try await cut
            for outcome in outcomes {
                guard case .unknown(let error) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                let lost = try Self.commit(error)
                #expect(try await database.end(of: lost) == .committed)
            }
            #expect(try await project.sql("SELECT count(*) FROM auth.users WHERE email LIKE '_\(number)@%'") == "2")
            let ada = try #require(try await database.user(email: "a\(number)@example.com"))

            // Calls for one user.
            var changes = DirectoryChanges()
            changes.isDisabled = true
            let disabled = changes
            let hash: Secret = "$2a$04$0123456789012345678901uVJWbZQ7gC2pyqh6yrmYD0vbJVVYPgi"
            let id = ada.id
            #expect(try await Self.end(of: project, database) { _ = try await database.create(Self.named("cara")) } == .committed)
            #expect(try await Self.end(of: project, database) { _ = try await database.update(id, disabled) } == .committed)
            #expect(try await Self.end(of: project, database) { try await database.setPasswordHash(hash, of: id) } == .committed)
            #expect(try await Self.end(of: project, database) { try await database.delete(id) } == .committed)
            #expect(try await project.sql("SELECT count(*) FROM auth.users WHERE email = 'cara@example.com'") == "1")
            #expect(try await project.sql("SELECT count(*) FROM auth.users WHERE id = '\(ada.id)'") == "0")
        }
    }

    /// The caller cancels while the commit waits, and the server continues with it.
    @Test func pendingCommitIsReported() async throws {
        try await Self.withWaitingCommits { project in
            let database = try project.database()
            var number = 0
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            var lost: GoTrueLostCommit?
            while lost == nil {
                number += 1
                let call = Task { [number] in await database.create([Self.named("ada\(number)")]) }
                // Until the server has read its settings, the commit completes immediately.
                while try await project.sql(waiting) == "0" {
                    if try await project.sql("SELECT count(*) FROM auth.users WHERE email = 'ada\(number)@example.com'") == "1" {
                        break
                    }
                }
                call.cancel()
                if case .unknown(let error) = await call.value.first { lost = try Self.commit(error) }
            }
            let commit = try #require(lost)
            let address = "ada\(number)@example.com"
            #expect(try await database.end(of: commit) == .underWay)
            #expect(try await database.user(email: address) == nil)
            try await Self.cutOff(project)
            while try await database.end(of: commit) == .underWay {}
            #expect(try await database.end(of: commit) == .committed)
            #expect(try await database.user(email: address) != nil)
        }
    }

    /// The connection breaks during the commit, before it is complete.
    @Test func lostCommitIsFoundRolledBack() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let ada = try await database.create(Self.named("ada"))
            try await project.sql(
                """
                CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON auth.users DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION cut()
                """)
            var changes = DirectoryChanges()
            changes.displayName = "Ada"
            let cutOff = await Self.error { [changes] in _ = try await database.update(ada.id, changes) }
            let lost = try Self.commit(cutOff)
            #expect(try await database.end(of: lost) == .rolledBack)
            #expect(try await database.user(id: ada.id) == ada)
            // A deferred check that fails is a response.
            try await project.sql(
                """
                CREATE OR REPLACE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$
                """)
            let refused = await Self.error { [changes] in _ = try await database.update(ada.id, changes) }
            let refusal = try #require(refused)
            #expect(!(refusal.underlying is GoTrueLostCommit))
            guard case .refused = DirectoryOutcome(of: refusal) else {
                Issue.record("\(refusal)")
                return
            }
        }
    }

    @Test func unknownTransactionIsAnError() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            for number in [1 << 40, UInt64.max] {
                let error = await Self.error {
                    _ = try await database.end(of: GoTrueLostCommit(transaction: number))
                }
                #expect(error?.code == .invalidInput, "\(number)")
            }
        }
    }

    /// An unreachable database has done nothing.
    @Test func withoutAConnectionNothingIsSent() async throws {
        var settings = GoTrueDatabase.Settings()
        settings.limit = .milliseconds(200)
        let database = try GoTrueDatabase("host=/nowhere", settings: settings)
        let outcomes = await database.delete(["8c3a1f0e-7f5f-4b52-9c3b-0d5b7c1a2e3f"]) + database.create([Self.named("ada")])
        for outcome in outcomes {
            guard case .notSent = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test(
        "an error says whether a request may have taken effect",
        arguments: [
            (AuthError(.network, "", underlying: HTTPFailure(.cannotConnect, .neverSent, "")), "notSent"),
            (AuthError(.network, "", underlying: HTTPFailure(.connectionLost, .mayHaveReachedServer, "")), "unknown"),
            (AuthError(.invalidResponse, "", underlying: HTTPFailure(.truncated, .answered, "")), "unknown"),
            (AuthError(.serverUnavailable, ""), "unknown"), (AuthError(.tooManyRequests, ""), "notSent"),
            (AuthError(.emailAlreadyInUse, ""), "refused"),
            (AuthError(.emailAlreadyInUse, "", completed: ["created"]), "unknown"),
            (
                AuthError(.network, "", completed: ["created"], underlying: HTTPFailure(.cannotConnect, .neverSent, "")),
                "unknown"
            ),
        ])
    func readsTheEffect(_ error: AuthError, _ expected: String) {
        let word =
            switch DirectoryOutcome(of: error) {
            case .done: "done"
            case .refused: "refused"
            case .unknown: "unknown"
            case .notSent: "notSent"
            }
        #expect(word == expected)
    }
}
