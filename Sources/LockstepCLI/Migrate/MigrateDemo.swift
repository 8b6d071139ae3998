import LockstepComparison
import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// A demo of the whole move on two emulators, in which each line is checked.
final class MigrateDemo: Sendable {
    private let source: MoveProvider
    private let target: MoveProvider
    private let wantedUsers: Int?
    /// Whether only the APIs are used although a PostgreSQL is installed.
    private let isAPIOnly: Bool
    let terminal: Terminal
    private let clock = SystemClock()
    private let failures = Mutex(0)
    private let checks = Mutex(0)

    /// The number of plain users who sign in, too.
    static let plainSignIns = 3

    /// The unusual users of the source, and whether the rows of a side are used.
    private let cast = Mutex<(users: [OddUser], hasRows: Bool)>(([], false))

    /// Creates a demo.
    ///
    /// - Parameters:
    ///   - source: The provider that users move from.
    ///   - target: The provider that users move to.
    ///   - users: The number of users on the source.
    ///   - isAPIOnly: Whether to use only the APIs.
    ///   - terminal: The terminal for the lines.
    init(from source: MoveProvider, to target: MoveProvider, users: Int?, isAPIOnly: Bool, _ terminal: Terminal) {
        self.source = source
        self.target = target
        wantedUsers = users
        self.isAPIOnly = isAPIOnly
        self.terminal = terminal
    }

    /// Whether a side has rows that can be read or written without its API.
    private var canHaveRows: Bool { [source, target].contains { $0.secrets.contains("database") } }

    /// Whether the rows of a side are read or written.
    var hasRows: Bool { cast.withLock { $0.hasRows } }
    var oddUsers: [OddUser] { cast.withLock { $0.users } }

    private var users: Int { max(wantedUsers ?? oddUsers.count + 2000, oddUsers.count + Self.plainSignIns) }
    /// The number of unusual users that are created on the target.
    private var made: Int {
        oddUsers.count { if case .isAbsent = $0.expectation(hasRows: hasRows) { false } else { true } }
    }
    /// The number of unusual users that are left out by choice.
    private var skipped: Int { oddUsers.count { $0.expectation(hasRows: hasRows) == .isAbsent(.anonymousUser) } }

    var created: Int { users - (oddUsers.count - made) }
    private var refused: Int { oddUsers.count - made - skipped }

    /// Runs the demo.
    ///
    /// - Returns: `success` only if all checks passed.
    func run() async throws -> ExitStatus {
        let began = clock.uptime
        let found = try await isAPIOnly || !canHaveRows ? nil : DemoRows.start()
        let servers = try DemoServers(from: source, to: target, rows: found)
        defer { servers.stop() }
        let hasRows = servers.rows != nil
        let users = servers.source.oddUsers.map { $0.expecting(servers.target.expectation(of: $0, hasRows: hasRows)) }
        cast.withLock { $0 = (users, hasRows) }
        let folder = try DemoFolder(servers)
        defer { folder.remove() }
        try introduce(servers)
        try await servers.source.prepare()
        try await servers.target.prepare()
        let problems = try await servers.fill(users: self.users)
        try check(
            problems.isEmpty, "\(source.name) has \(self.users) users, and \(oddUsers.count) of them are unusual", "\(problems)")
        try folder.write(servers.source.export())
        try await plan(servers, folder)
        try await applyAndKill(servers, folder)
        try await resume(servers, folder)
        try await verify(servers, folder)
        let signedIn = try await signIns(servers)
        try await follow(servers, folder)
        try await undo(servers, folder, signedIn: signedIn + (servers.source.showsHashes ? 1 : 0))
        let writes = servers.source.panel.transcript.entries.filter { !$0.request.isRead }
        try check(
            writes.isEmpty && (try servers.source.userCount()) == self.users + Self.growth,
            "\(source.name) still has \(self.users + Self.growth) users, and received no write requests",
            "\(writes.count) write requests")
        let (failed, all) = (failures.withLock { $0 }, checks.withLock { $0 })
        let time = (clock.uptime - began).milliseconds
        try terminal.print("")
        try terminal.print(
            failed == 0
                ? "all \(all) checks passed in \(time / 1000).\(time % 1000 / 100) s"
                : "\(failed) of \(all) checks failed")
        return failed == 0 ? .success : .failure
    }

    private func introduce(_ servers: DemoServers) throws {
        let base = "1. two emulators: \(source.name) \(servers.source.base), \(target.name) \(servers.target.base)"
        guard !hasRows else { return try say(base + ", with users in a PostgreSQL server that the demo has started") }
        try say(base)
        guard canHaveRows else { return }
        let cause = isAPIOnly ? "(--api-only)" : "because PostgreSQL is not installed"
        for note in [servers.source.notes.source, servers.target.notes.target].compactMap(\.self) {
            try terminal.print("  The demo uses only the APIs \(cause).\n  \(note)")
        }
    }

    private func plan(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("2. plan")
        let run = try await folder.lockstep("plan")
        try terminal.print(run.text)
        try check(run.status == 3, "the plan rejects users, so the command exits with status 3", run.complaint)
        let plan = try await folder.document("status")["status"]?["plan"]
        let counts = ["read", "create"].map { plan?[$0]?.int }
        try check(
            counts == [Int64(users), Int64(created)], "the plan creates \(created) of \(users) users", "\(counts)")
        let sums = ["skip", "refuse"].map { (plan?[$0]?.object ?? [:]).reduce(0) { $0 + ($1.value.int ?? 0) } }
        try check(
            sums == [Int64(skipped), Int64(refused)],
            "the plan skips \(skipped) users and rejects \(refused), so each of the \(users) users is in the plan once", "\(sums)"
        )
        for (kind, expected) in servers.source.lists.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let list = plan?["lists"]?.array?.first { $0["list"]?.string == kind.rawValue }
            try check(
                list?["entries"]?.int == Int64(expected),
                "the plan counts \(expected) \(kind.rawValue), which stay on \(source.name)", "\(list?.text() ?? "none")")
        }
        let ways = (plan?["waysIn"]?.object ?? [:]).reduce(0) { $0 + ($1.value.int ?? 0) }
        try check(
            ways == Int64(created), "each of the \(created) users has a way to sign in", "only \(ways) have a way to sign in")
        let entries = servers.source.panel.transcript.entries + servers.target.panel.transcript.entries
        try check(
            !entries.isEmpty && entries.allSatisfy(\.request.isRead) && (try servers.target.userCount()) == 0,
            "the plan wrote to neither side: \(entries.count) requests, and all were reads",
            "\(entries.filter { !$0.request.isRead }.map { "\($0.request.method) \($0.request.path)" })")
        let secrets =
            [
                OddUser.password.reveal(), DemoServers.plainEmail(0), "o'brien",
            ] + [servers.source.key, servers.target.key].compactMap { $0?.reveal() }
        try check(
            try folder.isFree(of: secrets), "the run's folder contains no address, password or key",
            "the journal contains a secret"
        )
    }

    private func applyAndKill(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("3. apply, and kill the process in the middle")
        let refusal = try await folder.lockstep("apply", "--yes")
        try check(refusal.status == 3, "without --partial, nothing is written, and the exit status is 3", refusal.complaint)
        let question = try await folder.lockstep("apply", "--partial")
        try check(
            question.status == 2 && question.text.contains("--yes") && (try servers.target.userCount()) == 0,
            "without --yes, nothing is written, and the exit status is 2", question.complaint)
        if let rows = servers.target.rows { return try await killWriting(rows, servers, folder) }
        let creation = servers.target.creation
        try servers.target.panel.fail(next: servers.target.requests(for: created / 2), creation, with: .delay(.zero))
        // The user is made, and nobody gets to know it.
        let held = try servers.target.panel.fail(creation, with: .holdResponse)
        let child = try folder.start("apply", "--partial", "--yes")
        let isHeld = await folder.waits(for: held, clock)
        child.kill()
        held.disableAndRelease()
        let status = try await BlockingThread.run { try child.wait() }
        let count = try servers.target.userCount()
        try check(
            isHeld && status == 137 && count > 0 && count < created,
            "killed by SIGKILL after \(count) of \(created) users, before the last responses arrived",
            "status \(status), \(count) users")
        try await checkUnknown(folder)
    }

    /// Kills the process during a transaction, which is never committed.
    ///
    /// The process cannot know that.
    private func killWriting(_ rows: DemoRows, _ servers: DemoServers, _ folder: DemoFolder) async throws {
        try await rows.holdWrites(above: created / 2)
        let child = try folder.start("apply", "--partial", "--yes")
        let isHeld = try await rows.waitsForHeldWrite(clock)
        child.kill()
        let status = try await BlockingThread.run { try child.wait() }
        try await rows.release()
        let count = try servers.target.userCount()
        try check(
            isHeld && status == 137 && count < created,
            "killed by SIGKILL after \(count) of \(created) users, in the middle of a transaction",
            "status \(status), \(count) users")
        try await checkUnknown(folder)
    }

    private func checkUnknown(_ folder: DemoFolder) async throws {
        let states = try await folder.document("status")["status"]?["states"]
        let intended = states?["intended"]?.int ?? 0
        try check(
            intended > 0, "the journal lists the \(intended) users for whom no response arrived", "\(states?.text() ?? "none")")
    }

    private func resume(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("4. resume")
        let run = try await folder.lockstep("apply", "--partial", "--yes")
        try terminal.print(run.text)
        let count = try servers.target.userCount()
        try check(
            run.status == 0 && count == created, "\(target.name) has \(created) users: no user was lost or duplicated",
            "\(run.complaint) \(count) users")
        if let rows = servers.target.rows {
            let identities = try await rows.number("SELECT count(DISTINCT user_id) FROM auth.identities")
            try check(identities == created, "each of these users has an identity", "only \(identities) have an identity")
        } else {
            let refusals = servers.target.panel.transcript.entries.filter { !$0.request.isRead && $0.response.status >= 400 }
            try check(refusals.isEmpty, "no user was sent to \(target.name) twice", "\(refusals.count) requests were rejected")
        }
        let again = try await folder.lockstep("apply", "--partial", "--yes")
        try check(
            again.status == 0 && (try servers.target.userCount()) == created,
            "a third run of apply has nothing to do",
            again.complaint)
    }

    private func verify(_ servers: DemoServers, _ folder: DemoFolder) async throws {
        try say("5. verify")
        let run = try await folder.lockstep("verify")
        try terminal.print(run.text)
        let document = try await folder.document("verify")["verify"]
        try check(
            run.status == 0 && document?["verified"]?.int == Int64(created), "all \(created) users match what was written",
            run.complaint)
        try await canaries(servers, folder)
        guard let rows = servers.target.rows else { return }
        let old = try await rows.number("SELECT count(*) FROM auth.users WHERE created_at < '2021-01-01'")
        try check(old == created, "each user has the creation time from the source", "only \(old) users have their creation time")
    }

    private func undo(_ servers: DemoServers, _ folder: DemoFolder, signedIn: Int) async throws {
        let created = created + Self.growth
        try say("8. undo")
        let question = try await folder.lockstep("undo")
        try check(
            question.status == 2 && (try servers.target.userCount()) == created,
            "without --yes, nothing is deleted, and the exit status is 2",
            question.complaint)
        let run = try await folder.lockstep("undo", "--yes")
        try terminal.print(run.text)
        let count = try servers.target.userCount()
        try check(
            run.status == 0 && count == signedIn,
            "\(created - signedIn) users are deleted; the \(signedIn) who have signed in are listed and kept",
            "\(run.complaint) \(count) users")
    }

    func say(_ text: String) throws { try terminal.print("\n" + terminal.paint.bold(text)) }

    /// Prints the line of a check, and counts it.
    func check(_ condition: Bool, _ claim: String, _ finding: @autoclosure () -> String) throws {
        checks.withLock { $0 += 1 }
        guard !condition else { return try terminal.print("  ok    \(claim.visible)") }
        failures.withLock { $0 += 1 }
        try terminal.print("  " + terminal.paint.red("FAIL") + "  \(claim.visible): \(finding().visible)")
    }
}

extension EmulatorRequest {
    /// Whether the request only reads or is the demo's own.
    fileprivate var isRead: Bool {
        ReadOnlyTransport.isRead(method, path) || path.hasSuffix("/defaultSupportedIdpConfigs")
    }
}

extension String {
    var padded: String { self + String(repeating: " ", count: max(26 - count, 1)) }
}
