import LockstepMigration
import LockstepPrimitives

extension Command {
    /// The group `lockstep migrate`.
    static let migrate = Command.group(
        "migrate",
        summary: "move users from one backend to another",
        about: """
            Moves users between Firebase Auth and Supabase Auth (GoTrue), and from both to Clerk. The steps are plan, apply, \
            verify, follow and undo. A plan writes nothing. A killed run can continue after its last step, and creates no user twice. \
            move.json names the source and the target (docs/migration.md). lockstep migrate demo shows the whole move on two \
            emulators.
            """,
        examples: [
            Example(
                line: "lockstep migrate demo --from firebase --to gotrue --api-only", meaning: "the whole move, on emulators"),
            Example(line: "lockstep migrate plan", meaning: "show what would happen to each user, according to move.json"),
            Example(line: "lockstep migrate apply --yes", meaning: "create the users of the newest plan"),
        ],
        verbs: [
            .migrateInit, .migrateMapSource, .migrateLosses, .migratePlan, .migrateRehearse, .migrateApply, .migrateVerify,
            .migrateFollow, .migrateMap, .migrateUndo,
            .migrateStatus, .migrateReport, .migratePurge, .migrateDemo,
        ])

    /// Declares a verb that works on a run.
    static func verb(
        _ name: String, summary: String, about: String, options: [Option], examples: [Example], failure: String,
        difference: String?, isNew: Bool = false, looksOn: Bool = false,
        run: @escaping @Sendable (MoveSession, Invocation) async throws -> ExitStatus
    ) -> Command {
        let common = [
            Option("move", .path("FILE"), "the file that names the source and the target (default: move.json)"),
            Option("format", .choice(["text", "json"]), "output format (default: text)"),
        ]
        let named = isNew ? [] : [Option("run", .text("ID"), "the run (default: the newest)")]
        var command = Command(
            name: "migrate \(name)", summary: summary, about: about, options: options + named + common, examples: examples,
            endsBySignal: true, failure: failure
        ) { invocation, terminal in
            try await reporting(invocation, terminal) {
                let session = try await MoveSession(invocation, terminal, isNew: isNew, looksOn: looksOn)
                defer { session.folder.close() }
                return try await run(session, invocation)
            }
        }
        command.difference = difference
        return command
    }

    /// Runs a verb, and prints its errors as a document, too, if JSON was requested.
    static func reporting(
        _ invocation: Invocation, _ terminal: Terminal, _ body: () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        do {
            return try await body()
        } catch let interrupted as Interrupted {
            return interrupted.status
        } catch let error as MigrationError {
            terminal.endProgress()
            _ = terminal.end(with: invocation.failure(error.message), waiting: true)
            terminal.tell("lockstep: \(error.message)")
            return error.status
        } catch {
            _ = terminal.end(with: invocation.failure("\(error)"), waiting: true)
            throw error
        }
    }

    static let consent = [
        Option("yes", .none, "write without asking"),
        Option("confirm", .text("HOST"), "the name of the target's host; needed if the target is another machine and has users"),
    ]
    private static let partial = Option("partial", .none, "leave out the users that the plan rejects")

    private static let migratePlan = verb(
        "plan",
        summary: "show what would happen to each user, without writing to either side",
        about: """
            Verifies the password hash of the probe account. Reads the settings of both sides and all users of the source. Looks for \
            duplicates on both sides. Shows what happens to each user and each field, how users sign in afterwards, and \
            which settings to change first. Creates a run; use its id with apply, verify and undo.
            """,
        options: [partial],
        examples: [
            Example(line: "lockstep migrate plan", meaning: "plan the move that move.json in this folder describes"),
            Example(line: "lockstep migrate plan --move ./prod/move.json --format json", meaning: "as JSON, for scripts"),
        ],
        failure: "the plan could not be created: the probe or the number of users did not match, or a backend failed",
        difference: "the plan rejects users, and --partial was not given", isNew: true
    ) { session, invocation in
        try session.showHeader()
        let progress = session.progress { "\($0) users read" }
        let plan: PlanSummary
        do {
            plan = try await session.working("plan") { move in try await move.plan(progress: progress) }
            try await session.archive?.finish()
        } catch {
            await session.archive?.discard()
            throw error
        }
        let duplicates = try await session.folder.writeDuplicates()
        var json = plan.json
        json["duplicates"] = duplicates?.json ?? .null
        json["files"] = .array(session.folder.losses.map(JSON.string))
        try session.show(
            plan.text + (duplicates.map { "\nduplicates: \($0.line)\n" } ?? "") + session.folder.lossesLine
                + "nothing was written. Continue with: \(session.command("apply", plan.refusedCount > 0 ? " --partial" : ""))\n",
            "plan", json)
        return plan.refusedCount == 0 || invocation.has("partial") ? .success : .differences
    }

    private static let migrateApply = verb(
        "apply",
        summary: "create the users of a plan, or continue an interrupted run",
        about: """
            Creates the users of a plan on the target. Records each request on the disk before sending it. If the run is killed, \
            the same command continues it. Without --yes, asks before it writes.
            """,
        options: consent + [
            partial,
            Option(
                "only", .path("FILE"), "create only the users of a file with lines of failures.jsonl, after they were corrected"),
        ],
        examples: [
            Example(line: "lockstep migrate apply --yes", meaning: "the newest run"),
            Example(
                line: "lockstep migrate apply --run 20261125-101502-a1b2 --partial --yes", meaning: "without the rejected users"),
        ],
        failure: "the target rejected users, or a backend failed too often",
        difference: "the plan rejects users, and --partial was not given"
    ) { session, invocation in
        try session.showHeader()
        let plan = try await session.move.plannedSummary()
        let isPartial = invocation.has("partial")
        let list = try invocation["only"].map(RetryList.init)
        try session.move.checkRefusals(of: plan, isPartial: isPartial || list != nil)
        guard try await session.isAllowed("apply", "create \(list?.ids.count ?? plan.created) users") else { return .usage }
        let only = try await session.retried(list, invocation["only"] ?? "")
        let before = try await session.folder.journal.counts()
        let total = [UserState.planned, .intended].reduce(0) { $0 + (before[$1] ?? 0) }
        let progress = session.progress { (progress: ApplyProgress, elapsed) in progress.text(of: total, after: elapsed) }
        let report = try await session.working("apply") { move in
            try await move.apply(isPartial: isPartial, only: only, progress: progress)
        }
        let differing = report.states[.differs] ?? 0
        // The users are there, whatever becomes of the map.
        var (map, problem): (IDMap?, MigrationError?)
        do throws(MigrationError) { map = try await session.folder.writeMap() } catch { problem = error }
        var json = report.json
        json["map"] = map?.json ?? .null
        let failures = try await session.folder.writeFailures()
        json["failed"] = failures?.json ?? .null
        try session.show(
            report.text + (map?.lines ?? "") + (failures.map { "refused or failed: \($0.line)\n" } ?? "")
                + "\ncontinue with: \(session.command("verify"))\n", "apply", json)
        if let problem { throw problem }
        if report.failures > 0 { return .failure }
        return differing > 0 ? .differences : .success
    }

    private static let migrateUndo = verb(
        "undo",
        summary: "delete the unchanged users that a run created",
        about: """
            Deletes each user of the run who is unchanged and has not signed in since. Lists all other users. Never deletes \
            users who were on the target before. Without --yes, asks before it deletes.
            """,
        options: consent + [UserNames.option],
        examples: [
            Example(line: "lockstep migrate undo", meaning: "what would be deleted"),
            Example(line: "lockstep migrate undo --yes", meaning: "delete the users"),
        ],
        failure: "the target rejected a deletion, or a backend failed too often", difference: nil
    ) { session, invocation in
        try session.showHeader()
        let look = session.progress { "\($0) users checked" }
        let dry = try await session.working("undo") { move in try await move.undo(isDry: true, progress: look) }
        let what = "delete \(dry.deleted) users, and keep \(dry.keptCount)"
        guard try await session.isAllowed("undo", what, dry.references) else { return .usage }
        var report = try await session.working("undo") { move in try await move.undo(isDry: false, progress: look) }
        report.references = dry.references
        let names = try await UserNames(report.kept.map(\.sourceID), session, invocation)
        try session.show(report.text(names), "undo", report.json(names))
        try await session.folder.writeMap()
        return report.refused == 0 ? .success : .failure
    }

    private static let migrateStatus = verb(
        "status",
        summary: "show the plan of a run and its progress",
        about: """
            Shows the plan of a run, and how many of its users are in each state. Another process can work on the run. If \
            verify was killed, also removes the temporary users that verify created on the target.
            """,
        options: [],
        examples: [Example(line: "lockstep migrate status", meaning: "the newest run")],
        failure: "something failed", difference: nil, looksOn: true
    ) { session, _ in
        try session.showHeader()
        let isInUse = session.folder.isInUse
        let plan = try await session.plannedSummary()
        if !isInUse { try await session.move.removeCanaries() }
        let counts = try await session.folder.journal.counts()
        let aside = try await session.folder.journal.users(
            in: [.refused, .unknown, .differs, .gone, .kept], after: 0, limit: 1000)
        try session.show(
            plan.text + "\nrun \(session.folder.id)\(isInUse ? ", in use by another process" : "")\n" + counts.lines
                + aside.lines,
            "status",
            [
                "plan": .object(plan.json), "states": .object(counts.json), "aside": aside.json, "inUse": .bool(isInUse),
            ])
        return .success
    }
}
