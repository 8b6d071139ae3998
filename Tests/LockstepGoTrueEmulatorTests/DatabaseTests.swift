import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPostgresServer
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The emulator over a real PostgreSQL, whose rows others also change.
@Suite("Users in PostgreSQL", .limitedConcurrency, .timeLimit(.minutes(5)))
struct DatabaseTests {
    private struct World {
        let postgres: PostgresServer
        let address: String
        let emulator: TestEmulator

        @discardableResult
        func sql(_ text: String) async throws -> String { try await postgres.sql(text, in: address) }

        func count(_ table: String) async throws -> String { try await sql("SELECT count(*) FROM auth.\(table)") }
    }

    private static func with(_ server: PostgresServer? = nil, _ body: (World) async throws -> Void) async throws {
        let postgres = if let server { server } else { try await PostgresServer.shared() }
        let address = try await postgres.makeDatabase()
        let rows = try GoTrueRows(Secret(address), createsSchema: true)
        try await body(
            World(
                postgres: postgres, address: address, emulator: try TestEmulator(mirror: rows) { $0.mail.confirmsByItself = true }
            ))
    }

    private static let email = "ada@example.com"

    private static func user(_ email: String = email, _ change: JSONObject = [:]) -> JSON {
        var body: JSONObject = ["email": .string(email), "password": .string(TestEmulator.password)]
        for member in change { body[member.name] = member.value }
        return .object(body)
    }

    @Test func signUpByHTTPIsStoredInTheTables() async throws {
        try await Self.with { world in
            let session = try await world.emulator.post("/signup", Self.user(Self.email, ["data": ["name": "Zo\u{EB} O'Hara"]]))
            #expect(session.status == 200)
            let id = session.json["user"]?["id"]?.string ?? ""
            #expect(
                try await world.sql(
                    """
                    SELECT instance_id, email, confirmation_token, raw_user_meta_data ->> 'name', is_anonymous,
                        email_confirmed_at IS NOT NULL, encrypted_password LIKE '$2a$%' FROM auth.users WHERE id = '\(id)'
                    """) == "00000000-0000-0000-0000-000000000000|ada@example.com||Zo\u{EB} O'Hara|f|t|t")
            #expect(try await world.sql("SELECT provider, email FROM auth.identities") == "email|ada@example.com")
            #expect(try await world.sql("SELECT aal, user_id = '\(id)' FROM auth.sessions") == "aal1|t")
            #expect(
                try await world.sql("SELECT token, revoked, user_id FROM auth.refresh_tokens")
                    == "\(session["refresh_token"])|f|\(id)")
            #expect(try await world.sql("SELECT authentication_method FROM auth.mfa_amr_claims") == "password")
        }
    }

    @Test func aRowChangedBySQLIsSeenByTheNextRequest() async throws {
        try await Self.with { world in
            let session = try await world.emulator.post("/signup", Self.user())
            try await world.sql(
                "UPDATE auth.users SET email = 'new@example.com', banned_until = 'infinity' WHERE email = '\(Self.email)'")
            try await world.sql("UPDATE auth.users SET banned_until = '2100-01-01'")
            #expect(try await world.emulator.signIn(Self.email).code == "invalid_credentials")
            #expect(try await world.emulator.signIn("new@example.com").code == "user_banned")
            try await world.sql("UPDATE auth.users SET banned_until = NULL")
            #expect(try await world.emulator.get("/user", bearer: session["access_token"])["email"] == "new@example.com")
            try await world.sql("DELETE FROM auth.sessions")
            #expect(try await world.emulator.get("/user", bearer: session["access_token"]).code == "session_not_found")
            try await world.sql("DELETE FROM auth.users")
            #expect(try await world.emulator.signIn("new@example.com").code == "invalid_credentials")
        }
    }

    @Test func usersCreatedBeforeTheStartAreRead() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            let second = try TestEmulator(mirror: try GoTrueRows(Secret(world.address)))
            let session = try await second.signIn(Self.email)
            #expect(session.status == 200)
            // One emulator reads the rows of another one.
            #expect(try await world.emulator.refresh(session["refresh_token"]).status == 200)
            #expect(try await second.refresh(session["refresh_token"]).status != 500)
        }
    }

    /// Two users exchange their addresses.
    ///
    /// Neither order of two writes would work.
    @Test func uniqueValuesAreExchanged() async throws {
        try await Self.with { world in
            for email in ["a@example.com", "b@example.com"] { _ = try await world.emulator.post("/signup", Self.user(email)) }
            let ids = try await world.sql("SELECT id FROM auth.users ORDER BY email").split(separator: "\n").map(String.init)
            try await world.sql(
                """
                UPDATE auth.users SET email = 'c@example.com' WHERE email = 'a@example.com';
                UPDATE auth.users SET email = 'a@example.com' WHERE email = 'b@example.com';
                UPDATE auth.users SET email = 'b@example.com' WHERE email = 'c@example.com'
                """)
            for (email, id) in [("a@example.com", ids[1]), ("b@example.com", ids[0])] {
                let session = try await world.emulator.signIn(email)
                #expect(session.json["user"]?["id"]?.string == id, "\(session.json.text())")
            }
        }
    }

    @Test(arguments: ["confirmation_token", "recovery_token", "email_change", "phone_change_token", "created_at"])
    func unreadableRowFailsLikeTheRealServer(_ column: String) async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            _ = try await world.emulator.post("/signup", Self.user("other@example.com"))
            try await world.sql("UPDATE auth.users SET \(column) = NULL WHERE email = '\(Self.email)'")
            let refused = try await world.emulator.signIn(Self.email)
            #expect(refused.status == 500)
            #expect(refused["msg"] == "Database error querying schema")
            #expect(try await world.emulator.post("/otp", ["email": .string(Self.email)])["msg"] == "Database error finding user")
            let list = try await world.emulator.get("/admin/users", bearer: world.emulator.admin)
            #expect(list.status == 500 && list["msg"] == "Database error finding users")
            #expect(try await world.emulator.signIn("other@example.com").status == 200)
            try await world.sql("UPDATE auth.users SET \(column) = \(column == "created_at" ? "now()" : "''")")
            #expect(try await world.emulator.signIn(Self.email).status == 200)
        }
    }

    /// The server's look-ups filter by the instance.
    @Test func rowsWithoutAnInstanceAreNotFound() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await world.sql("UPDATE auth.users SET instance_id = NULL")
            #expect(try await world.emulator.signIn(Self.email).code == "invalid_credentials")
            try await world.sql("UPDATE auth.users SET instance_id = '00000000-0000-0000-0000-000000000000'")
            let session = try await world.emulator.signIn(Self.email)
            #expect(session.json["user"]?["identities"]?.array?.count == 1)
        }
    }

    @Test func writeKeepsOtherColumns() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await world.sql(
                """
                UPDATE auth.users SET created_at = '2020-01-02 03:04:05.123456+00', is_super_admin = true,
                    raw_app_meta_data = raw_app_meta_data || '{"big": 12345678901234567890123}'
                """)
            #expect(try await world.emulator.signIn(Self.email).status == 200)
            #expect(
                try await world.sql(
                    "SELECT created_at AT TIME ZONE 'UTC', is_super_admin, raw_app_meta_data ->> 'big' FROM auth.users")
                    == "2020-01-02 03:04:05.123456|t|12345678901234567890123")
        }
    }

    @Test func appTriggerFailsTheSignUp() async throws {
        try await Self.with { world in
            try await world.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no profile'; END $$;
                CREATE TRIGGER refuse AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
            let refused = try await world.emulator.post("/signup", Self.user())
            #expect(refused.status == 500 && refused["msg"] == "Database error saving new user")
            #expect(try await world.count("users") == "0")
            try await world.sql(
                """
                DROP TRIGGER refuse ON auth.users;
                CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    new.raw_app_meta_data = new.raw_app_meta_data || '{"marked": true}'; RETURN new; END $$;
                CREATE TRIGGER mark BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION mark()
                """)
            #expect(try await world.emulator.post("/signup", Self.user()).status == 200)
            #expect(try await world.emulator.signIn(Self.email).json["user"]?["app_metadata"]?["marked"] == true)
        }
    }

    @Test func lostConnectionIsReplaced() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await world.sql(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'lockstep emulator'
                    AND datname = current_database();
                UPDATE auth.users SET email = 'new@example.com'
                """)
            #expect(try await world.emulator.signIn("new@example.com").status == 200)
            #expect(try await world.count("sessions") == "2")
        }
    }

    @Test func stoppedDatabaseIsAServerError() async throws {
        let server = try await PostgresServer()
        try await Self.with(server) { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await server.kill()
            let refused = try await world.emulator.signIn(Self.email)
            #expect(refused.status == 500 && refused["msg"] == "Database error querying schema")
            #expect(try await world.emulator.get("/admin/users", bearer: world.emulator.admin).status == 500)
        }
        try await server.stop()
    }

    /// A reset between tests must not delete users that somebody else has created.
    @Test func resetDeletesOnlyUsersOfTheEmulator() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await world.sql("DELETE FROM lockstep_emulator.origin")
            let foreign = try TestEmulator(mirror: try GoTrueRows(Secret(world.address), createsSchema: true))
            #expect(throws: RowMirrorError.self) { try foreign.server.panel.reset() }
            #expect(try await world.count("users") == "1")
            try world.emulator.server.panel.reset()
            #expect(try await world.count("users") == "0")
            #expect(try await world.count("refresh_tokens") == "0")
        }
    }

    @Test func droppedSchemaRemovesEveryTrigger() async throws {
        try await Self.with { world in
            try await world.sql("DROP SCHEMA lockstep_emulator CASCADE")
            #expect(
                try await world.sql("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'auth.users'::regclass AND NOT tgisinternal")
                    == "0")
        }
    }

    /// Concurrent requests and statements.
    ///
    /// Afterwards both sides have the same rows.
    @Test func concurrentWritersLeaveEqualRows() async throws {
        try await Self.with { world in
            _ = try await world.emulator.post("/signup", Self.user())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { _ = try await world.emulator.post("/signup", Self.user("user\(number)@example.com")) }
                    group.addTask { _ = try await world.emulator.signIn(Self.email) }
                    group.addTask {
                        try await world.sql(
                            "UPDATE auth.users SET raw_user_meta_data = jsonb_build_object('n', \(number)) WHERE email = '\(Self.email)'"
                        )
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await world.sql("SELECT raw_user_meta_data ->> 'n' FROM auth.users WHERE email = '\(Self.email)'")
            let shown = try await world.emulator.signIn(Self.email).json["user"]?["user_metadata"]?["n"]?.int
            #expect(shown.map { "\($0)" } == stored)
            #expect(try await world.count("users") == "9")
            #expect(try world.emulator.administrator.userCount() == 9)
            #expect(try await world.count("sessions") == "18")
        }
    }

    @Test func unusableDatabasesAreNamed() async throws {
        let postgres = try await PostgresServer.shared()
        let address = try await postgres.makeDatabase()
        func sentence(_ address: String) -> String {
            do {
                _ = try GoTrueRows(Secret(address))
                return "accepted"
            } catch {
                return "\(error)"
            }
        }
        #expect(sentence(address).hasPrefix("The database has no schema auth. Add --create-schema"))
        #expect(sentence(address + "_absent").contains("does not exist"))
        #expect(sentence("host=/nowhere dbname=x").contains("Check that the server is running"))
        #expect(sentence("not a connection").hasPrefix("The connection string"))
        try await postgres.sql("CREATE SCHEMA auth; CREATE TABLE auth.users (id uuid PRIMARY KEY)", in: address)
        #expect(sentence(address).hasPrefix("Table auth.users has no column"))
    }
}
