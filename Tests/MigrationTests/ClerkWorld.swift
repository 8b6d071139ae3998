import LockstepClerk
import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepMoveTargets
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import LockstepTokens

@testable import LockstepCLI
@testable import LockstepMigration

/// A Firebase project, a Clerk instance, and runs from one to the other.
struct ClerkWorld: Sendable {
    let source: EmulatorServer<FirebaseEmulator>
    let target: EmulatorServer<ClerkEmulator>
    let folder: String

    private static let workers = Workers()
    private static let firebaseKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }
    private static let clerkKey = Prepared(on: workers) { try SigningKey.makeRSA(id: "ins_lockstep") }
    static let creation = RequestMatch("POST", "/v1/users")

    static func with<Value: Sendable>(
        users: Int = 0, change: (inout ClerkSettings) -> Void = { _ in }, _ body: (ClerkWorld) async throws -> Value
    ) async throws -> Value {
        var firebase = FirebaseSettings(mode: .strict)
        firebase.signingKey = try await firebaseKey.value
        firebase.hashing.memoryCost = 1
        var options = EmulatorOptions()
        options.workers = workers
        let source = try FirebaseEmulator.start(firebase, options)
        defer { source.stop() }
        var settings = try ClerkSettings([("PASSWORD_COST", "least")])
        change(&settings)
        let target = try ClerkEmulator.start(settings, options, signingKey: try await clerkKey.value)
        defer { target.stop() }
        let folder = try Folder.makeTemporary(prefix: "lockstep-clerk")
        defer {
            for run in RunFolder.list(in: folder) { try? Folder.remove("\(folder)/\(run)") }
            try? Folder.remove(folder)
        }
        let world = ClerkWorld(source: source, target: target, folder: folder)
        if users > 0 { try await world.importUsers((0..<users).map { MoveWorld.user($0) }) }
        return try await body(world)
    }

    func importUsers(_ users: [JSON]) async throws {
        let problems = try await source.emulator.admin.importUsers(["users": .array(users)])
        guard problems.isEmpty else { throw MigrationError(.stopped, "\(problems)") }
    }

    func run() throws -> RunFolder {
        try RunFolder.make(in: folder, clock: SystemClock(), randomness: SystemRandomness())
    }

    func clerk() throws -> ClerkDirectory {
        try ClerkDirectory(
            secretKey: target.emulator.secretKey, url: target.base, transport: CurlTransport(), clock: HastyClock(),
            limiter: RequestLimiter(clock: HastyClock()))
    }

    func firebase() async throws -> FirebaseDirectory {
        try await FirebaseDirectory(
            url: source.base, project: source.emulator.settings.project, transport: CurlTransport(), clock: HastyClock()
        ).readingHashes()
    }

    func adapter() throws -> ClerkAdapter {
        try ClerkAdapter(url: target.base, key: target.emulator.publishableKey, transport: CurlTransport())
    }

    /// A run between the two, whose waits take no time.
    func move(
        _ folder: RunFolder, _ choices: MoveChoices = MoveChoices(anonymousUsers: .skip), journal: (any MoveJournal)? = nil,
        from other: MoveSource? = nil, trustsNewDevices: Bool = false
    ) async throws -> UserMove {
        let source = if let other { other } else { MoveSource(try await firebase(), project: "demo") }
        return UserMove(
            from: source,
            to: .clerk(try clerk(), api: try clerk(), project: "ins_lockstep", trustsNewDevices: trustsNewDevices), choices,
            key: folder.key, journal: journal ?? folder.journal, clock: HastyClock(), batchSize: 4)
    }

    var targetCount: Int { get throws { try target.emulator.admin.userCount() } }

    /// The requests of the target that write.
    var writes: [TranscriptEntry] { target.panel.transcript.entries.filter { $0.request.method != "GET" } }

    /// Signs in by plain HTTP: the status of the sign-in, or the code of an error.
    func signIn(_ email: String, _ password: Secret = MoveWorld.password) async throws -> String {
        try await attempt(["identifier": email, "password": password.reveal()])["status"] ?? "none"
    }

    /// Sends a sign-in by plain HTTP, and returns its status, its id, and the token of the client.
    func attempt(_ form: HTTPForm) async throws -> [String: String] {
        let response = try await CurlTransport().send(
            HTTPRequest(.post, target.base + "/v1/client/sign_ins?_is_native=true", body: .form(form)))
        let answer = try response.json()
        let status = answer["errors"]?[0]?["code"]?.string ?? answer["response"]?["status"]?.string
        return [
            "status": status ?? "none", "id": answer["response"]?["id"]?.string ?? "",
            "client": response.headers["Authorization"] ?? "",
        ]
    }

    /// Completes a sign-in with a code of a second factor.
    func secondFactor(_ attempt: [String: String], _ strategy: String, _ code: String) async throws -> String {
        let response = try await CurlTransport().send(
            HTTPRequest(
                .post, target.base + "/v1/client/sign_ins/\(attempt["id"] ?? "")/attempt_second_factor?_is_native=true",
                headers: ["Authorization": attempt["client"] ?? ""], body: .form(["strategy": strategy, "code": code])))
        let answer = try response.json()
        return answer["errors"]?[0]?["code"]?.string ?? answer["response"]?["status"]?.string ?? "none"
    }
}

extension SQLiteJournal {
    /// Gives a user another id on the target, as if the run had created it.
    func give(_ id: String, to number: Int) throws(MigrationError) {
        try write { try $0.run("UPDATE users SET target = \(id) WHERE number = \(number)") }
    }
}
