import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepHTTP
import LockstepMoveTargets
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import LockstepTokens

@testable import LockstepCLI
@testable import LockstepMigration

/// A Clerk instance with an export of its users, and runs from it to rows of GoTrue or to a Firebase project.
struct FromClerkWorld: Sendable {
    /// The backend to which users move.
    enum End: String, Sendable, CaseIterable { case goTrue, firebase }

    let source: EmulatorServer<ClerkEmulator>
    let end: End
    let rows: RowsTarget
    let goTrue: EmulatorServer<GoTrueEmulator>
    let firebase: EmulatorServer<FirebaseEmulator>
    let run: RunFolder
    /// The path of the export.
    let export: String

    static let password: Secret = "Old-Password-1!"
    static let created = Instant(seconds: 1_600_000_000)
    static let exportedAt = Instant(seconds: 1_650_000_000)
    private static let workers = Workers()
    private static let signingKey = Prepared(on: workers) { try SigningKey.makeRSA(id: "ins_moves") }
    private static let firebaseKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }

    static func with(
        _ users: [SeedUser], _ organizations: [SeedOrganization] = [], to end: End = .goTrue,
        _ body: (FromClerkWorld) async throws -> Void
    ) async throws {
        var options = EmulatorOptions()
        options.workers = workers
        var settings = try ClerkSettings([("PASSWORD_COST", "least")])
        (settings.emailAddress, settings.password) = (.optional, .optional)
        settings.organizations.isEnabled = true
        let source = try ClerkEmulator.start(settings, options, signingKey: try await signingKey.value)
        defer { source.stop() }
        try source.emulator.admin.add(users, organizations)
        let rows = try await RowsTarget()
        let goTrue = try GoTrueEmulator.start(
            try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")] + MoveWorld.open), options: options,
            mirror: try GoTrueRows(Secret(rows.address)))
        defer { goTrue.stop() }
        var project = FirebaseSettings(mode: .strict)
        project.signingKey = try await firebaseKey.value
        project.hashing.memoryCost = 1
        let firebase = try FirebaseEmulator.start(project, options)
        defer { firebase.stop() }
        let parent = try Folder.makeTemporary(prefix: "lockstep-clerk")
        let path = "\(parent)/users.csv"
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let run = try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
        let world = FromClerkWorld(
            source: source, end: end, rows: rows, goTrue: goTrue, firebase: firebase, run: run, export: path)
        try world.exportUsers()
        try await body(world)
        try AtomicFile.remove(path)
    }

    /// Replaces the export by one of the users as they are now.
    func exportUsers() throws { try AtomicFile.replace(export, with: try source.emulator.admin.exportUsers()) }

    static func id(_ number: Int) -> String { "user_number\(number)" }
    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    /// A user with a verified address, and with a hash of a password if there is one.
    static func user(_ number: Int, _ hash: Secret? = nil, _ change: (inout SeedUser) -> Void = { _ in }) -> SeedUser {
        var user = SeedUser()
        (user.id, user.email, user.isEmailConfirmed) = (id(number), email(number), true)
        (user.displayName, user.passwordHash, user.createdAt) = ("User \(number)", hash, created)
        change(&user)
        return user
    }

    func clerk() throws -> ClerkDirectory {
        try ClerkDirectory(
            secretKey: source.emulator.secretKey, url: source.base, transport: CurlTransport(), clock: HastyClock())
    }

    /// The side `from` of a file, as the command opens it.
    func opened(_ more: JSONObject = [:]) async throws -> MoveSource {
        let folder = try Folder.makeTemporary(prefix: "lockstep-clerk-move")
        defer { try? Folder.remove(folder) }
        var side: JSONObject = [
            "provider": "clerk", "url": .string(source.base), "key": ["file": "key"], "export": .string(export),
            "exportedAt": .string(Self.exportedAt.rfc3339),
        ]
        for (name, value) in more { side[name] = value.isNull ? JSON?.none : value }
        let file: JSON = [
            "from": .object(side), "to": ["provider": "gotrue", "url": "http://127.0.0.1:9", "key": ["file": "key"]],
        ]
        try AtomicFile.replace("\(folder)/move.json", with: file.bytes())
        try AtomicFile.replace("\(folder)/key", with: Array(source.emulator.secretKey.reveal().utf8))
        let move = try MoveFile("\(folder)/move.json")
        let transport = CurlTransport()
        return try await MoveProvider.clerk.openSource(
            MoveProvider.Side(end: move.from, name: "from", file: move, transport: transport)
        ).source
    }

    /// A source without an export.
    static let withoutExport: JSONObject = ["export": .null, "exportedAt": .null]

    func target() throws -> MoveTarget {
        switch end {
        case .goTrue: try rows.target()
        case .firebase:
            .firebase(
                try FirebaseDirectory(
                    url: firebase.base, project: firebase.emulator.settings.project, transport: CurlTransport(),
                    clock: HastyClock()),
                project: firebase.emulator.settings.project)
        }
    }

    func move(
        _ choices: MoveChoices = MoveChoices(), from source: JSONObject = [:], journal: (any MoveJournal)? = nil
    ) async throws -> UserMove {
        var move = UserMove(
            from: try await opened(source), to: try target(), choices, key: run.key, journal: journal ?? run.journal,
            clock: HastyClock(), batchSize: 4)
        move.folder = run.path
        return move
    }

    /// The lines of a file of the run.
    func lines(_ name: String) throws -> [JSON] {
        try (try AtomicFile.read("\(run.path)/\(name)") ?? []).split(separator: 0x0a).map { try JSON.parse(Array($0)) }
    }

    func targetCount() async throws -> Int {
        switch end {
        case .goTrue: try await rows.count()
        case .firebase: try firebase.emulator.admin.userCount()
        }
    }

    /// Signs in by plain HTTP.
    ///
    /// - Returns: The body of the response.
    func signIn(_ email: String, _ password: Secret = password) async throws -> JSON {
        switch end {
        case .goTrue:
            try await ask("/token?grant_type=password", ["email": .string(email), "password": .string(password.reveal())])
        case .firebase:
            try await CurlTransport().send(
                HTTPRequest(
                    .post, firebase.base + "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
                    body: .json(
                        ["email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true]))
            ).json()
        }
    }

    /// Whether an old password signs in.
    func opens(_ email: String, _ password: Secret = password) async throws -> Bool {
        let answer = try await signIn(email, password)
        return answer["access_token"] != nil || answer["idToken"] != nil
    }

    /// Sends a request to GoTrue, with the token of a session or the public key.
    func ask(_ path: String, _ body: JSON, bearer: String? = nil) async throws -> JSON {
        let key = goTrue.emulator.anonKey
        return try await CurlTransport().send(
            HTTPRequest(
                .post, goTrue.base + path, headers: ["apikey": key, "Authorization": "Bearer \(bearer ?? key)"],
                body: .json(body))
        ).json()
    }
}
