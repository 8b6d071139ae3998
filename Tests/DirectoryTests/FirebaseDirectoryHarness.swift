import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebase
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepTestSupport
import LockstepTokens

/// Firebase's directory on its emulator: as a service account, or as the emulator's owner.
struct FirebaseDirectoryHarness: DirectoryHarness {
    /// The directory's authorization.
    enum Permission: String, Sendable {
        case account
        case owner
    }

    let permission: Permission
    private let workers = Workers()
    private let transport = CurlTransport()
    private let signingKey: Prepared<SigningKey>
    private let accountKey: Prepared<GrantServer.Key>

    init(_ permission: Permission) {
        self.permission = permission
        signingKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }
        accountKey = Prepared(on: workers) { try GrantServer.Key() }
    }

    var name: String { "firebase (\(permission.rawValue))" }

    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result {
        var settings = FirebaseSettings(mode: .strict)
        settings.signingKey = try await signingKey.value
        settings.hashing.memoryCost = 1
        let project = settings.project
        var options = EmulatorOptions()
        options.workers = workers
        options.clock = ManualClock(base: FixedClock())
        let server = try FirebaseEmulator.start(settings, options)
        defer { server.stop() }
        let key = try await accountKey.value
        let grants = try EmulatorServer(options) { try GrantServer(project: project, key: key, in: $0) }
        defer { grants.stop() }
        let (permission, transport) = (permission, transport)
        let accounts = "*/accounts"
        return try await body(
            EmulatedProject(
                panel: server.panel,
                requests: [
                    .page: RequestMatch("GET", accounts + ":batchGet"), .search: RequestMatch("POST", accounts + ":lookup"),
                    .lookup: RequestMatch("POST", accounts + ":lookup"),
                    .creation: RequestMatch("POST", accounts).or(RequestMatch("POST", accounts + ":batchCreate")),
                    .change: RequestMatch("POST", accounts + ":update"), .deletion: RequestMatch("POST", accounts + ":delete"),
                ],
                trouble: ["error": ["code": 500, "message": "Internal error encountered.", "status": "INTERNAL"]],
                refusal: [
                    "error": [
                        "code": 429, "message": "Quota exceeded for quota metric 'Identity Toolkit requests'.",
                        "status": "RESOURCE_EXHAUSTED",
                    ]
                ],
                makeDirectory: { clock in
                    switch permission {
                    case .account:
                        try FirebaseDirectory(
                            account: FirebaseServiceAccount(contents: grants.emulator.file),
                            url: server.base + "/identitytoolkit.googleapis.com", transport: transport, clock: clock)
                    case .owner:
                        try FirebaseDirectory(url: server.base, project: project, transport: transport, clock: clock)
                    }
                },
                makeAdapter: {
                    FirebaseAdapter(
                        try FirebaseConfiguration(url: server.base, key: "fake-api-key"), transport: transport)
                }))
    }
}
