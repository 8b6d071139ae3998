import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebase
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

/// A project on its own emulator, a service account, and the endpoint of its access tokens, over real HTTP.
final class DirectoryProject: Sendable {
    static let transport = CurlTransport()
    private static let workers = Workers()
    private static let key = Prepared(on: workers) { try GrantServer.Key() }

    let clock = ManualClock(base: FixedClock())
    let server: EmulatorServer<FirebaseEmulator>
    let grants: EmulatorServer<GrantServer>
    let directory: FirebaseDirectory

    init() async throws {
        var settings = FirebaseSettings(mode: .strict)
        settings.signingKey = FirebaseProject.key
        settings.hashing.memoryCost = 1
        var options = EmulatorOptions()
        options.clock = clock
        let project = settings.project
        let key = try await Self.key.value
        server = try FirebaseEmulator.start(settings, options)
        grants = try EmulatorServer(options) { try GrantServer(project: project, key: key, in: $0) }
        directory = try FirebaseDirectory(
            account: FirebaseServiceAccount(contents: grants.emulator.file), url: server.base + "/identitytoolkit.googleapis.com",
            transport: Self.transport, clock: clock)
    }

    deinit {
        server.stop()
        grants.stop()
    }

    /// The number of calls of that method that the emulator has answered.
    func calls(_ method: String) -> Int {
        server.panel.transcript.entries.count { $0.request.rawPath.contains(":" + method) }
    }

    /// The status of a sign-in by password.
    func signIn(_ email: String, _ password: String) async throws -> Int {
        try await Self.transport.send(
            HTTPRequest(
                .post, server.base + "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword",
                headers: ["X-Goog-Api-Key": "fake-api-key"],
                body: .json(["email": .string(email), "password": .string(password)]))
        ).status
    }
}
