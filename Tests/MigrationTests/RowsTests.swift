import LockstepCurl
import LockstepDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// A move into the target's database.
@Suite("A move into rows", .limitedConcurrency, .timeLimit(.minutes(5)))
struct RowsTests {
    private static let plain = 10

    /// Plain users, and one user for each kind of value that only rows can store.
    private static func fill(_ world: MoveWorld) async throws {
        try await world.importUsers([
            MoveWorld.user(
                20,
                [
                    "createdAt": "1500000000123", "lastLoginAt": "1600000000456",
                    "providerUserInfo": [["providerId": "google.com", "rawId": "g-20", "email": "user20@example.com"]],
                ]),
            MoveWorld.user(
                21,
                [
                    "email": .null, "emailVerified": .null, "rawPassword": .null,
                    "providerUserInfo": [["providerId": "github.com", "rawId": "h-21"]],
                ]),
            MoveWorld.user(22, ["mfaInfo": [["mfaEnrollmentId": "f1", "phoneInfo": "+4915112345622", "displayName": "Mobile"]]]),
            MoveWorld.user(23, ["disabled": true]), MoveWorld.user(24, ["emailVerified": false]),
        ])
    }

    private static let all = plain + 5

    /// Runs a test with a source of unusual users and an empty database.
    private static func with(_ body: (MoveWorld, RowsTarget) async throws -> Void) async throws {
        try await MoveWorld.with(users: plain) { world in
            try await fill(world)
            try await body(world, try await RowsTarget())
        }
    }

    private static func move(
        _ world: MoveWorld, _ folder: RunFolder, _ rows: RowsTarget, journal: (any MoveJournal)? = nil,
        directory: (any UserDirectory)? = nil, anonymousUsers: MoveChoices.AnonymousUsers = .skip,
        profile: ProfileMembers = ProfileMembers()
    ) async throws -> UserMove {
        let source = try await world.move(folder).source
        var target = try rows.target(directory)
        target.profile = profile
        return UserMove(
            from: source, to: target, MoveChoices(anonymousUsers: anonymousUsers), key: folder.key,
            journal: journal ?? folder.journal, clock: HastyClock(), batchSize: 4)
    }

    private static func planned(_ world: MoveWorld, _ rows: RowsTarget) async throws -> RunFolder {
        try await rows.empty()
        let folder = try world.run()
        let plan = try await move(world, folder, rows).plan()
        try #require(plan.created == all && plan.isConsistent, "\(plan)")
        return folder
    }

    @Test(.covers("M18", "M29", "M53")) func usersMoveWithEveryRowValueAndAreUndone() async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            let move = try await Self.move(world, folder, rows)
            let report = try await move.apply(isPartial: false)
            #expect(report.states == [.complete: Self.all] && report.failures == 0)
            let user = try await FirebaseLookUp.user(MoveWorld.id(20), in: world, folder)
            let id = move.mapping.knownID(of: MoveWorld.id(20))
            let row = try await rows.sql(
                """
                SELECT (extract(epoch FROM created_at) * 1000)::bigint, (extract(epoch FROM last_sign_in_at) * 1000)::bigint,
                    encrypted_password FROM auth.users WHERE id = '\(id)'
                """)
            let exported = try #require(user.passwordHash)
            let hash = try #require(PasswordHash(exported.reveal()).goTrueText)
            #expect(row == "1500000000123|1600000000456|\(hash)")
            let identities = try await rows.sql(
                "SELECT provider || ' ' || provider_id FROM auth.identities WHERE user_id = '\(id)' ORDER BY 1")
            #expect(identities.split(separator: "\n") == ["email \(id)", "google g-20"])
            let social = move.mapping.knownID(of: MoveWorld.id(21))
            #expect(try await rows.sql("SELECT encrypted_password FROM auth.users WHERE id = '\(social)'").isEmpty)
            #expect(try await rows.sql("SELECT phone FROM auth.mfa_factors") == "4915112345622")
            #expect(try await move.verify().isSuccess)

            // One flipped byte of a hash is found.
            try await rows.sql(
                """
                UPDATE auth.users SET encrypted_password = overlay(encrypted_password placing
                    CASE substr(encrypted_password, 60, 1) WHEN 'x' THEN 'y' ELSE 'x' END from 60 for 1) WHERE id = '\(id)'
                """)
            let differing = try await move.verify().differing
            #expect(differing.map(\.targetID) == [id] && differing.first?.fields == ["password"], "\(differing)")
            try await rows.sql("UPDATE auth.users SET encrypted_password = '\(hash)' WHERE id = '\(id)'")
            #expect(try await move.verify().isSuccess)

            // A later sign-in has another time than the written one.
            try await rows.sql("UPDATE auth.users SET last_sign_in_at = now() WHERE email = 'user1@example.com'")
            let undone = try await move.undo(isDry: false)
            #expect(undone.deleted == Self.all - 1 && undone.kept.map(\.sourceID) == [MoveWorld.id(1)], "\(undone)")
            #expect(try await rows.count() == 1)
        }
    }

    /// The app that reads the target's rows finds name and photo where it looks, and each anonymous user.
    @Test func chosenMembersAndAnonymousUsersMove() async throws {
        let profile = ProfileMembers(name: "full_name", photo: "picture")
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            try await rows.empty()
            try await world.importUsers([
                MoveWorld.user(1, ["photoUrl": "https://example.com/1.png"]),
                ["localId": "nobody", "createdAt": "1500000000123"],
            ])
            let folder = try world.run()
            let move = try await Self.move(world, folder, rows, anonymousUsers: .create, profile: profile)
            let plan = try await move.plan()
            #expect(plan.created == 2 && plan.isConsistent, "\(plan)")
            _ = try await move.apply(isPartial: false)
            let values = "raw_user_meta_data->>'full_name', raw_user_meta_data->>'picture', raw_user_meta_data ? 'display_name'"
            #expect(
                try await rows.sql("SELECT \(values) FROM auth.users WHERE NOT is_anonymous")
                    == "User 1|https://example.com/1.png|f")
            #expect(try await rows.sql("SELECT id FROM auth.users WHERE is_anonymous") == move.mapping.knownID(of: "nobody"))
            #expect(try await move.verify().isSuccess)

            // A changed name arrives where the app looks.
            try await FirebaseLookUp.update(MoveWorld.id(1), in: world) { $0.displayName = "Ada" }
            _ = try await move.follow(isDry: false)
            #expect(
                try await rows.sql("SELECT raw_user_meta_data->>'full_name' FROM auth.users WHERE NOT is_anonymous") == "Ada")
            #expect(try await move.verify().isSuccess)
            #expect(try await move.undo(isDry: false).deleted == 2)
        }
    }

    private static func expectAll(_ folder: RunFolder, _ rows: RowsTarget, _ comment: Comment) async throws {
        #expect(try await rows.count() == all, comment)
        #expect(try await rows.sql("SELECT count(DISTINCT email) FROM auth.users") == "\(all - 1)", comment)
        #expect(try await folder.journal.counts() == [.complete: all], comment)
    }

    @Test(.covers("M11", "M53"), arguments: MortalJournal.Moment.allCases, [nil] + LossyRows.Loss.allCases)
    func killAtEachWriteLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment, _ loss: LossyRows.Loss?) async throws {
        try await Self.with { world, rows in
            for write in 1... {
                let folder = try await Self.planned(world, rows)
                let lossy = try loss.map { LossyRows(try rows.rows(), $0, batch: 2) }
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await Self.move(world, folder, rows, journal: mortal, directory: lossy)
                do throws(MigrationError) {
                    _ = try await killed.apply(isPartial: false)
                    // All writes were tried.
                    #expect(write > 8)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                let move = try await Self.move(world, folder, rows)
                _ = try await move.apply(isPartial: false)
                try await Self.expectAll(folder, rows, "killed \(moment) write \(write)")
            }
        }
    }

    @Test(.covers("M35"), arguments: MortalJournal.Moment.allCases, [nil] + LossyRows.Loss.allCases)
    func killAtEachWriteOfAnUndoLeavesNoUser(_ moment: MortalJournal.Moment, _ loss: LossyRows.Loss?) async throws {
        try await Self.with { world, rows in
            for write in 1... {
                let folder = try await Self.planned(world, rows)
                _ = try await Self.move(world, folder, rows).apply(isPartial: false)
                let lossy = try loss.map { LossyRows(try rows.rows(), $0, batch: 2) }
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await Self.move(world, folder, rows, journal: mortal, directory: lossy)
                do throws(MigrationError) {
                    _ = try await killed.undo(isDry: false)
                    // All writes were tried.
                    #expect(write > 6)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                _ = try await Self.move(world, folder, rows).undo(isDry: false)
                #expect(try await rows.count() == 0, "killed \(moment) write \(write)")
                #expect(try await folder.journal.counts() == [.undone: Self.all], "killed \(moment) write \(write)")
            }
        }
    }

    private static func trigger(_ body: String, _ rows: RowsTarget) async throws {
        try await rows.sql(
            """
            CREATE FUNCTION public.make_profile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) END $$;
            CREATE TRIGGER make_profile BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.make_profile()
            """)
    }

    @Test(.covers("M24"), arguments: ["RAISE EXCEPTION 'no profile';", "RETURN NULL;"])
    func triggerThatRejectsEveryUserStopsTheRunAndLosesNobody(_ body: String) async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            try await Self.trigger(body, rows)
            let error = await #expect(throws: MigrationError.self) {
                try await Self.move(world, folder, rows).apply(isPartial: false)
            }
            #expect(error?.code == .stopped && error?.message.contains("5 users in a row") == true, "\(error?.message ?? "")")
            #expect(try await rows.count() == 0)
            try await rows.sql("DROP TRIGGER make_profile ON auth.users")
            _ = try await Self.move(world, folder, rows).apply(isPartial: false)
            try await Self.expectAll(folder, rows, "without the trigger")
        }
    }

    /// Through the API a trigger appears as a server error without a name.
    @Test(.covers("M24")) func triggerThatRejectsEveryUserStopsAnAPIRun() async throws {
        try await MoveWorld.with(users: Self.plain) { world in
            let rows = try await RowsTarget()
            let server = try GoTrueEmulator.start(
                try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")] + MoveWorld.open),
                mirror: try GoTrueRows(Secret(rows.address)))
            defer { server.stop() }
            let directory = try GoTrueDirectory(
                url: server.base, adminKey: server.emulator.serviceRoleKey, transport: CurlTransport(), clock: HastyClock())
            let folder = try world.run()
            let move = UserMove(
                from: try await world.move(folder).source, to: MoveWorld.target(directory), MoveChoices(anonymousUsers: .skip),
                key: folder.key, journal: folder.journal, clock: HastyClock())
            let plan = try await move.plan()
            #expect(plan.writing?.effects == nil && plan.text.contains("triggers and webhooks"), "\(plan.text)")
            try await Self.trigger("RAISE EXCEPTION 'no profile';", rows)
            let error = await #expect(throws: MigrationError.self) { try await move.apply(isPartial: false) }
            #expect(error?.code == .stopped && error?.message.contains("5 users in a row") == true, "\(error?.message ?? "")")
            #expect(try await rows.count() == 0)
            try await rows.sql("DROP TRIGGER make_profile ON auth.users")
            #expect(try await move.apply(isPartial: false).states == [.complete: Self.plain])
        }
    }

    /// A full disk of the database, and a connection that breaks each time: nothing was done.
    @Test(arguments: ["RAISE EXCEPTION USING ERRCODE = '53100';", "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new;"])
    func databaseFailureStopsTheRunAndLosesNobody(_ body: String) async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            try await Self.trigger("IF new.email = 'user7@example.com' THEN \(body) END IF; RETURN new;", rows)
            let error = await #expect(throws: MigrationError.self) {
                try await Self.move(world, folder, rows).apply(isPartial: false)
            }
            #expect(error?.code == .stopped, "\(error?.message ?? "")")
            #expect(try await folder.journal.counts()[.refused] == nil)
            try await rows.sql("DROP TRIGGER make_profile ON auth.users")
            _ = try await Self.move(world, folder, rows).apply(isPartial: false)
            try await Self.expectAll(folder, rows, "after the trouble")
        }
    }

    /// The standby has every change that the first server has confirmed.
    @Test func promotedStandbyContinuesTheRun() async throws {
        let server = try await PostgresServer(standby: true)
        do {
            try await MoveWorld.with(users: Self.plain) { world in
                try await Self.fill(world)
                let rows = try await RowsTarget(server)
                let folder = try await Self.planned(world, rows)
                let mortal = MortalJournal(folder.journal, killedAt: 4, .after)
                await #expect(throws: MortalJournal.death) {
                    try await Self.move(world, folder, rows, journal: mortal).apply(isPartial: false)
                }
                #expect(try await rows.count() > 0)
                try await server.kill()
                try await server.promote()
                _ = try await Self.move(world, folder, rows).apply(isPartial: false)
                try await Self.expectAll(folder, rows, "after the promotion")
                #expect(try await Self.move(world, folder, rows).undo(isDry: false).deleted == Self.all)
            }
        } catch {
            // Otherwise the server would keep running after a failed test.
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    @Test(arguments: ["RAISE EXCEPTION 'not this one';", "RETURN NULL;"])
    func triggerThatRejectsOneUserStopsNobodyElse(_ body: String) async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            try await Self.trigger("IF new.email = 'user3@example.com' THEN \(body) END IF; RETURN new;", rows)
            let report = try await Self.move(world, folder, rows).apply(isPartial: false)
            #expect(report.states == [.complete: Self.all - 1, .refused: 1] && report.failures == 1)
            #expect(try await rows.count() == Self.all - 1)
            let refused = try await folder.journal.users(in: [.refused], after: 0, limit: 10)
            #expect(refused.map(\.sourceID) == [MoveWorld.id(3)])
            #expect(refused.first?.reason == UserReason.databaseError.rawValue)
        }
    }

    @Test(.covers("M28")) func databaseRunCannotContinueThroughTheAPI() async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            let api = try await world.move(folder)
            #expect(api.target.mark == (try rows.target()).mark)
            for attempt in [
                { _ = try await api.apply(isPartial: true) }, { _ = try await api.verify() },
                { _ = try await api.undo(isDry: false) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: MigrationError.self) { try await attempt() }
                #expect(error?.code == .anotherAccess)
            }
            #expect(world.writes.isEmpty)
            let other = try world.run()
            _ = try await world.move(other).plan()
            let error = await #expect(throws: MigrationError.self) {
                try await Self.move(world, other, rows).apply(isPartial: true)
            }
            #expect(error?.code == .anotherAccess)
        }
    }

    @Test(.covers("M36")) func undoCountsRemovedRows() async throws {
        try await Self.with { world, rows in
            let folder = try await Self.planned(world, rows)
            let move = try await Self.move(world, folder, rows)
            _ = try await move.apply(isPartial: false)
            try await rows.sql(
                """
                CREATE TABLE public.posts (id int, author uuid REFERENCES auth.users ON DELETE CASCADE);
                CREATE TABLE public.orders (id int, buyer uuid REFERENCES auth.users);
                INSERT INTO public.posts SELECT n, id FROM auth.users, generate_series(1, 3) n;
                INSERT INTO public.orders SELECT 1, id FROM auth.users WHERE email = 'user2@example.com'
                """)
            let dry = try await move.undo(isDry: true)
            #expect(try await rows.count() == Self.all && dry.deleted == Self.all)
            let expected = [
                DirectoryReference(table: "orders", columns: ["buyer"], deletion: .refuses, rows: 1),
                DirectoryReference(table: "posts", columns: ["author"], deletion: .cascades, rows: 3 * Self.all),
            ]
            #expect(dry.references == expected, "\(dry.references)")
            let report = try await move.undo(isDry: false)
            #expect(report.deleted == Self.all - 1 && report.refused == 1)
            #expect(try await rows.sql("SELECT count(*) FROM public.posts") == "3")
            #expect(try await rows.sql("SELECT email FROM auth.users") == "user2@example.com")
        }
    }

    @Test(.covers("M11")) func fullDiskStopsTheRunBeforeTheNextRequest() async throws {
        try await MoveWorld.with(users: 300) { world in
            let rows = try await RowsTarget()
            let folder = try world.run()
            let move = UserMove(
                from: try await world.move(folder).source, to: try rows.target(), MoveChoices(), key: folder.key,
                journal: folder.journal, clock: HastyClock())
            _ = try await move.plan()
            try await folder.journal.limitToPresentSize()
            let error = await #expect(throws: MigrationError.self) { try await move.apply(isPartial: false) }
            #expect(error?.code == .journal, "\(error?.message ?? "")")
            // Every existing user was intended before.
            let made = try await rows.count()
            let known = try await folder.journal.users(in: [.intended, .complete], after: 0, limit: 1000).count
            #expect(made < 300 && made <= known)
            folder.close()
            let again = try RunFolder.open(folder.id, in: world.folder)
            let next = UserMove(
                from: move.source, to: move.target, MoveChoices(), key: again.key, journal: again.journal, clock: HastyClock())
            _ = try await next.apply(isPartial: false)
            #expect(try await rows.count() == 300)
            #expect(try await again.journal.counts() == [.complete: 300])
        }
    }
}
