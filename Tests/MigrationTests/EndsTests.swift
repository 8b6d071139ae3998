import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

/// The reaction to wrong ends or a wrong journal of a run.
@Suite("Source and target of a move", .limitedConcurrency) struct EndsTests {
    private static func ends(
        _ api: EmulatorServer<GoTrueEmulator>, _ rows: RowsTarget? = nil, path: String = "",
        from source: JSON = ["file": "users.jsonl"], _ choices: JSONObject = [:]
    ) async throws -> MoveEnds {
        let folder = try Folder.makeTemporary(prefix: "lockstep-ends")
        defer { try? Folder.remove(folder) }
        var target: JSONObject = ["provider": "gotrue", "url": .string(api.base + path), "key": ["file": "key"]]
        if rows != nil { target["database"] = ["file": "database"] }
        var file = choices
        (file["from"], file["to"]) = (source, .object(target))
        let header = #"{"version":1,"source":{"provider":"firebase","project":"demo"}}"#
        for (name, text) in [
            ("move.json", JSON.object(file).text()),
            ("key", api.emulator.serviceRoleKey.reveal()), ("database", rows?.address ?? "-"),
            ("users.jsonl", header),
        ] { try AtomicFile.replace("\(folder)/\(name)", with: Array(text.utf8)) }
        return try await MoveEnds(try MoveFile("\(folder)/move.json"))
    }

    /// The API of one project and the database of another one: nothing may be written.
    @Test(.covers("M28", "M52")) func apiAndDatabaseOfTwoProjectsAreRejected() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            let ends = try await Self.ends(world.target, rows)
            try await ends.requireOneProject()
            _ = try await rows.rows().create(NewDirectoryUser(email: "there@example.com"))
            for email in [nil, "here@example.com"] {
                if let email { _ = try await world.goTrue().create(NewDirectoryUser(email: email)) }
                let error = await #expect(throws: UsageError.self) { try await ends.requireOneProject() }
                #expect(error?.description.contains("to.database") == true)
            }
            let server = try GoTrueEmulator.start(
                try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")]),
                mirror: try GoTrueRows(Secret(rows.address)))
            defer { server.stop() }
            try await Self.ends(server, rows).requireOneProject()
        }
    }

    /// A target that reserves no addresses has none to leave unclaimed.
    @Test func unclaimedAddressesNeedATargetThatReservesThem() async throws {
        try await MoveWorld.with { world in
            let error = await #expect(throws: UsageError.self) {
                try await Self.ends(world.target, nil, ["unverifiedAddresses": "unclaimed"])
            }
            #expect(error?.description.contains("\"unclaimed\"") == true)
        }
    }

    /// The gateway of the platform also asks on this machine.
    @Test func gatewayNeedsThePublicKey() async throws {
        try await MoveWorld.with { world in
            let (open, gateway) = (try await Self.ends(world.target), try await Self.ends(world.target, path: "/auth/v1"))
            #expect(open.adapter != nil && gateway.adapter == nil)
        }
    }

    /// One row that the server cannot read makes its list fail.
    @Test func unreadableRowIsNamed() async throws {
        let rows = try await RowsTarget()
        try await MoveWorld.with(mirror: try GoTrueRows(Secret(rows.address))) { world in
            let ends = try await Self.ends(world.target, rows)
            let id = try await rows.rows().create(NewDirectoryUser(email: "there@example.com")).id
            try await ends.requireOneProject()
            try await rows.sql("UPDATE auth.users SET created_at = NULL, email_change = NULL")
            let error = await #expect(throws: UsageError.self) { try await ends.requireOneProject() }
            #expect(error?.description.contains("\(id) (email_change, created_at)") == true, "\(error?.description ?? "")")
            try await rows.sql(
                "UPDATE auth.users SET created_at = now(), email_change = '', raw_user_meta_data = '{\"a\": 1e400}'")
            let unreadable = await #expect(throws: AuthError.self) { try await rows.rows().user(id: id) }
            #expect(unreadable?.message.contains(id) == true)
        }
    }

    /// Firebase's own emulator has no route for the parameters of hashes.
    @Test func emulatorWithoutHashesIsPlanned() async throws {
        try await MoveWorld.with(users: 2) { world in
            try world.source.panel.fail(
                next: 100, "GET", "*/config", with: .answer(.json(["error": ["code": 404, "status": "NOT_FOUND"]], status: 404)))
            let source: JSON = [
                "provider": "firebase", "emulator": .string(world.source.base),
                "project": .string(world.source.emulator.settings.project),
            ]
            let ends = try await Self.ends(world.target, from: source)
            let folder = try world.run()
            let move = UserMove(
                from: ends.source, to: ends.target, MoveChoices(), key: folder.key, journal: folder.journal, clock: HastyClock())
            #expect(try await move.plan().ways == [.newPassword: 2])
            #expect(try await move.apply(isPartial: false).states == [.complete: 2])
            #expect(try await move.verify().isSuccess)
            #expect(try await move.follow(isDry: false).total == 0)
        }
    }

    @Test(
        .covers("M28"),
        arguments: [
            (#""create":2"#, #""create":9223372036854775807"#), (#""create":2"#, #""create":-1"#),
            (#""create":2"#, #""create":3"#),
            (#""read":2"#, #""read":9223372036854775807"#), (#""password":2"#, #""password":9223372036854775807"#),
            (#""read":2"#, #""read":"2""#), ("{", "["),
        ])
    func editedPlanIsRejected(_ old: String, _ new: String) async throws {
        try await MoveWorld.with(users: 2) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            _ = try await move.plan()
            let plan = try #require(try await folder.journal.head()?.plan)
            let edited = plan.replacing(old, with: new)
            #expect(edited != plan, "\(plan)")
            try await folder.journal.finishPlan(edited)
            let error = await #expect(throws: MigrationError.self) { try await move.apply(isPartial: true) }
            #expect(error?.code == .journal || error?.code == .notPlanned, "\(error?.message ?? "")")
            #expect(try world.targetCount == 0)
        }
    }

    @Test(.covers("M31")) func textsOfAnEditedPlanContainNoControlCharacters() async throws {
        try await MoveWorld.with(users: 2) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            _ = try await move.plan()
            let plan = try #require(try await folder.journal.head()?.plan)
            let escape = #"\u001b[2J\u202e"#
            let edited = plan.replacing(#""road":""#, with: #""road":"\#(escape)"#)
                .replacing("fbscrypt", with: "fbscrypt\(escape)").replacing(#""probe":null"#, with: #""probe":"\#(escape)""#)
            try await folder.journal.finishPlan(edited)
            let text = try await move.plannedSummary().text
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(text)")
            #expect(text.ranges(of: "u{202E}").count == 3, "\(text)")
        }
    }

    /// A backend can report any number.
    @Test(.covers("M54")) func backendNumbersCauseNoOverflow() throws {
        var plan = PlanSummary()
        (plan.read, plan.created, plan.ways) = (5, 5, [.passwordAfterProof: 5])
        var demands = DirectoryDemands()
        (demands.userQuota, demands.mailsPerHour) = (3, .max)
        plan.note(demands, of: try MoveWorld.unreachableTarget(), source: DirectoryDemands(), present: .max)
        #expect(plan.obstacles.map(\.users) == [5] && plan.emails.hours(for: 5) == 1)
        #expect(plan.text.contains("5 users"))
    }

    private struct SameBytes: Randomness {
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }
    }

    private struct StoppedClock: DeviceClock {
        let now = Instant(seconds: 1_800_000_000)
        let uptime = Duration.zero
        let bootID = "one"
        func sleep(for duration: Duration) async throws {}
    }

    /// Runs that start in one second with the same random suffix: each has a folder, and the newest is the last one.
    @Test(.covers("M28")) func runsOfOneSecondHaveOrderedFolders() throws {
        let parent = try Folder.makeTemporary(prefix: "lockstep-names")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let runs = try (0..<4).map { _ in
            let run = try RunFolder.make(in: parent, clock: StoppedClock(), randomness: SameBytes())
            run.close()
            return run.id
        }
        #expect(Set(runs).count == 4 && RunFolder.list(in: parent) == runs, "\(runs)")
    }
}
