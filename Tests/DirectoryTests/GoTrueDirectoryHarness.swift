import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepGoTrue
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepTestSupport

/// GoTrue's directory on its emulator.
struct GoTrueDirectoryHarness: DirectoryHarness {
    let name = "gotrue"
    private let workers = Workers()
    private let transport = CurlTransport()

    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result {
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.signIn.allowsPhone = true
        var options = EmulatorOptions()
        options.workers = workers
        options.clock = ManualClock(base: FixedClock())
        let server = try GoTrueEmulator.start(settings, options: options)
        defer { server.stop() }
        let transport = transport
        let users = "*/admin/users"
        return try await body(
            EmulatedProject(
                panel: server.panel,
                requests: [
                    .page: RequestMatch("GET", users), .search: RequestMatch("GET", users),
                    .lookup: RequestMatch("GET", users + "/*"), .creation: RequestMatch("POST", users),
                    .change: RequestMatch("PUT", users + "/*"), .deletion: RequestMatch("DELETE", users + "/*"),
                ],
                trouble: ["code": "unexpected_failure", "message": "Database error creating new user"],
                refusal: ["code": "over_request_rate_limit", "message": "Request rate limit reached"],
                makeDirectory: { clock in
                    try GoTrueDirectory(
                        url: server.base, adminKey: server.emulator.serviceRoleKey, transport: transport, clock: clock)
                },
                makeAdapter: {
                    GoTrueAdapter(try GoTrueConfiguration(url: server.base, key: "anon"), transport: transport)
                }))
    }
}
