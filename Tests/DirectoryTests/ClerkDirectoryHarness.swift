import LockstepClerk
import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepHTTP
import LockstepTestSupport
import LockstepTokens

/// Clerk's directory on its emulator.
struct ClerkDirectoryHarness: DirectoryHarness {
    let name = "clerk"
    private let workers = Workers()
    private let transport = CurlTransport()
    private let signingKey: Prepared<SigningKey>

    init() {
        signingKey = Prepared(on: workers) { try SigningKey.makeRSA(id: "ins_directories") }
    }

    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result {
        var settings = try ClerkSettings([("PASSWORD_COST", "least")])
        settings.phoneNumber = .optional
        var options = EmulatorOptions()
        options.workers = workers
        options.clock = ManualClock(base: FixedClock())
        let server = try ClerkEmulator.start(settings, options, signingKey: try await signingKey.value)
        defer { server.stop() }
        let transport = transport
        let users = "/v1/users"
        return try await body(
            EmulatedProject(
                panel: server.panel,
                requests: [
                    .page: RequestMatch("GET", users), .search: RequestMatch("GET", users),
                    .lookup: RequestMatch("GET", users + "/*"), .creation: RequestMatch("POST", users),
                    .change: RequestMatch("PATCH", users + "/*"), .deletion: RequestMatch("DELETE", users + "/*"),
                ],
                trouble: ["errors": [["code": "internal_clerk_error", "message": "Oops"]]],
                refusal: [
                    "errors": [
                        [
                            "code": "too_many_requests", "message": "Too many requests",
                            "long_message": "Too many requests, retry later",
                        ]
                    ]
                ],
                makeDirectory: { clock in
                    try ClerkDirectory(
                        secretKey: server.emulator.secretKey, url: server.base, transport: transport, clock: clock)
                },
                makeAdapter: {
                    ClerkAdapter(
                        try ClerkConfiguration(url: server.base, key: server.emulator.publishableKey),
                        transport: transport)
                }))
    }
}
