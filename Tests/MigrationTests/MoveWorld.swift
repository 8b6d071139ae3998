import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepMoveTargets
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import Synchronization

@testable import LockstepCLI
@testable import LockstepMigration

/// A source and a target over sockets, and runs between them.
struct MoveWorld: Sendable {
    let source: EmulatorServer<FirebaseEmulator>
    let target: EmulatorServer<GoTrueEmulator>
    let folder: String
    /// The time limit of a request.
    var deadline = Duration.seconds(30)
    private let transport = CurlTransport()

    static let password: Secret = "Old-Password-1!"
    /// A target whose users also sign in with a number and on Google's page.
    static let open = [
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"), ("GOTRUE_EXTERNAL_GOOGLE_ENABLED", "true"),
        ("GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID", "app"), ("GOTRUE_EXTERNAL_GOOGLE_SECRET", "secret"),
    ]
    private static let workers = Workers()
    private static let signingKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }

    /// Runs a test with its own source and target.
    ///
    /// - `users`: The number of plain users in the source.
    /// - `settings`: The settings of the target.
    /// - `mirror`: The database of the target.
    /// - `change`: Changes further settings of the target.
    /// - `body`: The test.
    static func with<Value: Sendable>(
        users: Int = 0, target settings: [(String, String)] = Self.open, mirror: (any RowMirror)? = nil,
        change: (inout GoTrueSettings) -> Void = { _ in }, _ body: (MoveWorld) async throws -> Value
    ) async throws -> Value {
        var firebase = FirebaseSettings(mode: .strict)
        firebase.signingKey = try await signingKey.value
        firebase.hashing.memoryCost = 1
        var options = EmulatorOptions()
        options.workers = workers
        let source = try FirebaseEmulator.start(firebase, options)
        defer { source.stop() }
        var targetSettings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")] + settings)
        change(&targetSettings)
        let target = try GoTrueEmulator.start(targetSettings, options: options, mirror: mirror)
        defer { target.stop() }
        let folder = try Folder.makeTemporary(prefix: "lockstep-move")
        defer {
            for run in RunFolder.list(in: folder) { try? Folder.remove("\(folder)/\(run)") }
            try? Folder.remove(folder)
        }
        let world = MoveWorld(source: source, target: target, folder: folder)
        try await world.fill(users)
        return try await body(world)
    }

    func fill(_ users: Int) async throws {
        guard users > 0 else { return }
        try await importUsers((0..<users).map { Self.user($0) })
    }

    static func id(_ number: Int) -> String { "user-\(1000 + number)" }
    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    /// A plain user, as the source's tools write it.
    static func user(_ number: Int, _ more: JSONObject = [:]) -> JSON {
        var members: JSONObject = [
            "localId": .string(id(number)), "email": .string(email(number)), "emailVerified": true,
            "displayName": .string("User \(number)"), "rawPassword": .string(password.reveal()),
        ]
        for (name, value) in more { members[name] = value.isNull ? JSON?.none : value }
        return .object(members)
    }

    func importUsers(_ users: [JSON], hashing: JSONObject = [:]) async throws {
        var document = hashing
        document["users"] = .array(users)
        let problems = try await source.emulator.admin.importUsers(.object(document))
        guard problems.isEmpty else { throw MigrationError(.stopped, "\(problems)") }
    }

    func run() throws -> RunFolder {
        try RunFolder.make(in: folder, clock: SystemClock(), randomness: SystemRandomness())
    }

    func goTrue() throws -> GoTrueDirectory {
        try GoTrueDirectory(
            url: target.base, adminKey: target.emulator.serviceRoleKey, transport: transport, clock: HastyClock(),
            deadline: deadline)
    }

    /// A run between the two, whose waits take no time.
    func move(
        _ folder: RunFolder, _ choices: MoveChoices = MoveChoices(anonymousUsers: .skip), journal: (any MoveJournal)? = nil,
        project: String = "demo", targetProject: String = "target", change: (inout MoveTarget) -> Void = { _ in }
    ) async throws -> UserMove {
        let directory = try await FirebaseDirectory(
            url: source.base, project: source.emulator.settings.project, transport: transport, clock: HastyClock(),
            deadline: deadline
        ).readingHashes()
        var source = MoveSource(directory, project: project)
        source.tenants = { () async throws(AuthError) in
            try await directory.tenants().map { MoveTenant(name: $0.id, users: $0.users) }
        }
        var target = Self.target(try goTrue(), targetProject)
        change(&target)
        return UserMove(
            from: source, to: target, choices, key: folder.key,
            journal: journal ?? folder.journal,
            clock: HastyClock(), batchSize: 4)
    }

    static func target(_ directory: any UserDirectory, _ project: String = "target") -> MoveTarget {
        .goTrue(directory, rows: nil, project: project)
    }

    /// A target for tests without requests.
    static func unreachableTarget() throws -> MoveTarget {
        target(try GoTrueDirectory(url: "http://127.0.0.1:9", adminKey: "sb_secret_x", transport: CurlTransport()))
    }

    /// Whether a password signs in by plain HTTP.
    func opens(_ email: String, _ password: Secret) async throws -> Bool {
        let response = try await transport.send(
            HTTPRequest(
                .post, target.base + "/token?grant_type=password",
                body: .json(["email": .string(email), "password": .string(password.reveal())])))
        return try response.json()["access_token"] != nil
    }

    var targetCount: Int { get throws { try target.emulator.admin.userCount() } }

    /// The requests of the target that write.
    var writes: [TranscriptEntry] { target.panel.transcript.entries.filter { $0.request.method != "GET" } }
}

extension Mapping {
    /// The id of a user on a target that does not make the ids.
    func knownID(of id: String) -> String { targetID(of: id) ?? "" }
}

/// A clock whose waits end immediately.
struct HastyClock: DeviceClock {
    private let clock = SystemClock()

    var now: Instant { clock.now }
    var uptime: Duration { clock.uptime }
    var bootID: String { clock.bootID }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A journal whose process is killed at one of its writes: immediately before the rows are on the disk, or immediately after.
final class MortalJournal: MoveJournal {
    enum Moment: String, CaseIterable, Sendable { case before, after }

    let journal: SQLiteJournal
    private let end: (write: Int, moment: Moment)?
    private let state = Mutex((writes: 0, isDead: false))

    init(_ journal: SQLiteJournal, killedAt write: Int? = nil, _ moment: Moment = .before) {
        self.journal = journal
        end = write.map { ($0, moment) }
    }

    var writes: Int { state.withLock { $0.writes } }
    static let death = MigrationError(.stopped, "killed")

    func look() throws(MigrationError) { if state.withLock({ $0.isDead }) { throw Self.death } }

    func write<Value: Sendable>(_ body: () async throws(MigrationError) -> Value) async throws(MigrationError) -> Value {
        try look()
        let number = state.withLock { state in
            state.writes += 1
            if state.writes == end?.write { state.isDead = true }
            return state.writes
        }
        if let end, number == end.write, end.moment == .before { throw Self.death }
        let value = try await body()
        try look()
        return value
    }

    func head() async throws(MigrationError) -> RunHead? {
        try look()
        return try await journal.head()
    }
    func begin(_ head: RunHead) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.begin(head) }
    }
    func note(_ users: [TargetUser]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.note(users) }
    }
    func plan(_ users: [PlannedUser]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.plan(users) }
    }
    func foreignExternalIDs() async throws(MigrationError) -> Int {
        try look()
        return try await journal.foreignExternalIDs()
    }
    func settlePlan() async throws(MigrationError) -> [PlanCount] {
        try await write { () throws(MigrationError) in try await journal.settlePlan() }
    }
    func finishPlan(_ summary: String) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.finishPlan(summary) }
    }
    func users(in states: Set<UserState>, after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser] {
        try look()
        return try await journal.users(in: states, after: number, limit: limit)
    }
    func users(sourceIDs ids: [String]) async throws(MigrationError) -> [JournalUser] {
        try look()
        return try await journal.users(sourceIDs: ids)
    }
    func users(targetIDs ids: [String]) async throws(MigrationError) -> [JournalUser] {
        try look()
        return try await journal.users(targetIDs: ids)
    }
    func intend(_ users: [Intent]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.intend(users) }
    }
    func settle(_ users: [Settlement]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.settle(users) }
    }
    func intendRemoval(_ numbers: [Int]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.intendRemoval(numbers) }
    }
    func settleRemoval(_ users: [(number: Int, removal: Removal?)]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.settleRemoval(users) }
    }
    func counts() async throws(MigrationError) -> [UserState: Int] {
        try look()
        return try await journal.counts()
    }
}
