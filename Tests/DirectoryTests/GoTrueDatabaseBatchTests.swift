import LockstepDirectoryContracts
import LockstepPostgres
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrueDatabase

/// Batches of users in a GoTrue server's database.
@Suite(.limitedConcurrency) struct GoTrueDatabaseBatchTests {
    private static let harness = GoTrueDatabaseHarness()
    private static let hash: Secret = "$2a$04$0123456789012345678901uVJWbZQ7gC2pyqh6yrmYD0vbJVVYPgi"

    private static func user(_ number: Int) -> NewDirectoryUser {
        var user = NewDirectoryUser(email: "user\(number)@example.com", password: .hash(hash))
        user.providerIdentities = [DirectoryIdentity(.google, subject: "g-\(number)")]
        user.factors = [DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))]
        user.userMetadata = ["quote": "O'Brien \"\\ \u{202e}", "number": .int(Int64(number))]
        return user
    }

    @Test func fiveHundredUsersAreWrittenInEightRoundTrips() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let outcomes = await database.create((0..<500).map(Self.user))
            #expect(outcomes.allSatisfy { $0.error == nil })
            #expect(database.roundTrips <= 8)
            let before = database.roundTrips
            let page = try await database.page(after: nil, size: 500)
            #expect(database.roundTrips - before <= 4)
            #expect(page.users.count == 500)
            #expect(page.users.allSatisfy { $0.providerIdentities.count == 1 })
            #expect(page.users.allSatisfy { $0.factors.map(\.kind) == Self.user(0).factors.map(\.kind) })
            let ids = outcomes.compactMap { if case .done(let id) = $0 { id } else { nil } }
            let users = try await database.users(ids: ids)
            for (number, user) in users.enumerated() {
                #expect(user?.email == "user\(number)@example.com")
                #expect(user?.userMetadata == Self.user(number).userMetadata)
            }
            #expect(database.roundTrips - before <= 8)
        }
    }

    /// A newly filled table has no statistics.
    ///
    /// Without the index each page would sort the rest of the table.
    @Test(arguments: [nil, "80000000-0000-4000-8000-000000000000"])
    func pagesUseTheIndexOfIDs(_ last: String?) async throws {
        try await Self.harness.with { project in
            try await project.sql("ALTER TABLE auth.users SET (autovacuum_enabled = false)")
            let database = try project.database()
            _ = await database.create((0..<1000).map(Self.user))
            let plan = try await database.call { connection throws(PostgresError) in
                try connection.run("EXPLAIN \(GoTrueDatabase.users(where: GoTrueDatabase.isOnPage(after: last, size: 500)))").rows
                    .map { row throws(PostgresError) -> String in try row[0] }
            }
            #expect(plan.contains { $0.contains("Index Scan using users_pkey") }, "\(plan)")
            #expect(!plan.contains { $0.contains("JIT") }, "\(plan)")
        }
    }

    /// Four kinds of errors in a batch, at both ends and in the middle.
    @Test func refusalInABatchNamesItsUser() async throws {
        try await Self.harness.with { project in
            try await project.sql(
                """
                CREATE FUNCTION check_user() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF new.email = 'user77@example.com' THEN RAISE EXCEPTION 'not this one'; END IF;
                    IF new.email = 'user78@example.com' THEN RETURN NULL; END IF; RETURN new; END $$;
                CREATE TRIGGER check_user BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION check_user()
                """)
            let database = try project.database()
            _ = try await database.create(Self.user(0))
            var users = (0..<200).map(Self.user)
            users[150].providerIdentities = [DirectoryIdentity(.google, subject: "g-20")]
            users[199].email = "user5@example.com"
            users[160].userMetadata = ["nul": "\u{0}"]
            let outcomes = await database.create(users)
            let due: [Int: AuthError.Code] = [
                0: .emailAlreadyInUse, 77: .unknown, 78: .invalidResponse, 150: .identityAlreadyInUse, 160: .invalidInput,
                199: .emailAlreadyInUse,
            ]
            for (number, outcome) in outcomes.enumerated() {
                #expect(outcome.error?.code == due[number], "user \(number): \(outcome)")
                if case .refused = outcome { continue }
                #expect(due[number] == nil, "user \(number): \(outcome)")
            }
            #expect(try await database.count() == 195)
            #expect(try await project.sql("SELECT count(*) FROM auth.mfa_factors") == "195")
        }
    }

    @Test func fiveHundredUsersAreDeletedInSixRoundTrips() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = await database.create((0..<500).map(Self.user))
            let ids = made.compactMap { if case .done(let id) = $0 { id } else { nil } }
            try await project.sql(
                """
                CREATE TABLE public.orders (buyer uuid REFERENCES auth.users);
                INSERT INTO public.orders VALUES ('\(ids[77])')
                """)
            let absent = "8c3a1f0e-7f5f-4b52-9c3b-0d5b7c1a2e3f"
            let outcomes = await database.delete(Array(ids[50..<100]) + [absent, "no id"])
            for (number, outcome) in outcomes.enumerated() {
                switch number {
                case 27: #expect(outcome.error?.code == .invalidInput)
                case 50, 51: #expect(outcome.error?.code == .userNotFound)
                default: #expect(outcome.error == nil, "\(number)")
                }
                if case .done(let id) = outcome { #expect(id == ids[50 + number]) }
            }
            #expect(try await database.count() == 451)
            let before = database.roundTrips
            let rest = await database.delete(ids.filter { $0 != ids[77] })
            #expect(database.roundTrips - before <= 6)
            // Missing users are reported and do not affect the others.
            #expect(rest.count { $0.error == nil } == 450 && rest.count { $0.error?.code == .userNotFound } == 49)
            #expect(try await project.sql("SELECT count(*) FROM auth.identities") == "2")
        }
    }

    /// A snapshot does not see concurrent changes, on any page.
    @Test func snapshotShowsOneMoment() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            _ = await database.create((0..<10).map(Self.user))
            let seen = try await database.withSnapshot { snapshot in
                var seen: [String] = []
                for try await page in snapshot.pages(size: 4) {
                    if seen.isEmpty {
                        try await project.sql("DELETE FROM auth.users WHERE email LIKE 'user_@%'")
                        _ = await database.create((20..<30).map(Self.user))
                    }
                    seen += page.users.compactMap(\.email)
                }
                #expect(try await snapshot.count() == 10)
                return seen
            }
            #expect(seen.sorted() == (0..<10).map { "user\($0)@example.com" })
            #expect(try await database.count() == 10)
            #expect(
                try await database.users(emails: ["user1@example.com", "user25@example.com"]).map { $0 != nil } == [false, true])
        }
    }

    /// The app's own triggers and tables are listed before anything is written or deleted.
    @Test(.covers("M24", "M36")) func triggersAndTablesOfTheAppAreListed() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let outcomes = await database.create((0..<3).map(Self.user))
            let ids = outcomes.compactMap { if case .done(let id) = $0 { id } else { nil } }
            #expect(try await database.triggers().isEmpty)
            #expect(try await database.references().isEmpty)
            try await project.sql(
                """
                CREATE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
                CREATE TRIGGER profiles AFTER INSERT OR UPDATE ON auth.users FOR EACH ROW EXECUTE FUNCTION make_profile();
                CREATE TRIGGER off BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION make_profile();
                ALTER TABLE auth.users DISABLE TRIGGER off;
                CREATE TABLE profiles (id uuid REFERENCES auth.users ON DELETE CASCADE);
                CREATE TABLE "Order's" (buyer uuid REFERENCES auth.users ON DELETE SET NULL, "Seller" uuid REFERENCES auth.users);
                INSERT INTO profiles SELECT id FROM auth.users;
                CREATE SCHEMA supabase_functions;
                CREATE FUNCTION supabase_functions.http_request() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
                CREATE TRIGGER tell AFTER DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION supabase_functions.http_request(
                    'https://me:secret@hooks.example.com:8443/secret?key=secret', 'POST', '{"Authorization":"secret"}', '{}', '1000');
                CREATE TRIGGER tell_odd AFTER DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION supabase_functions.http_request(
                    'secret\\x');
                INSERT INTO "Order's" VALUES ('\(ids[0])', '\(ids[1])'), ('\(ids[0])', NULL)
                """)
            #expect(
                try await database.triggers() == [
                    GoTrueTrigger(name: "profiles", function: "public.make_profile", events: [.insert, .update]),
                    GoTrueTrigger(
                        name: "tell", function: "supabase_functions.http_request", events: [.delete],
                        webhook: "https://hooks.example.com:8443"),
                    GoTrueTrigger(
                        name: "tell_odd", function: "supabase_functions.http_request", events: [.delete],
                        webhook: "an unknown server"),
                ])
            let all = try await database.references()
            #expect(all.map(\.table) == ["\"Order's\"", "\"Order's\"", "profiles"])
            #expect(all.map(\.columns) == [["Seller"], ["buyer"], ["id"]])
            #expect(all.map(\.deletion) == [.refuses, .clears, .cascades])
            #expect(all.map(\.rows) == [1, 2, 3])
            #expect(try await database.references(to: [ids[0]]).map(\.rows) == [0, 2, 1])
        }
    }
}
