import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepHTTP
import LockstepStoreHarnesses
import LockstepTestSupport

/// GoTrue's users in a real PostgreSQL, in the tables of its migrations, and an emulator over the same database.
struct GoTrueDatabaseHarness: DirectoryHarness {
    let name = "gotrue database"

    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result {
        try await with { project in try await body(project) }
    }

    /// - `server`: A server of the test's own; the one that all share unless given.
    func with<Result: Sendable>(
        server: PostgresServer? = nil, _ body: (GoTrueDatabaseProject) async throws -> Result
    ) async throws -> Result {
        let postgres = if let server { server } else { try await PostgresServer.shared() }
        let address = try await postgres.makeDatabase()
        let settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        let rows = try GoTrueRows(Secret(address), createsSchema: true)
        let server = try GoTrueEmulator.start(settings, mirror: rows)
        defer { server.stop() }
        return try await body(GoTrueDatabaseProject(postgres: postgres, address: address, base: server.base))
    }
}

struct GoTrueDatabaseProject: DirectoryProject {
    let postgres: PostgresServer
    let address: String
    let base: String

    func database(clock: any DeviceClock = SystemClock()) throws -> GoTrueDatabase {
        try GoTrueDatabase(Secret(address), clock: clock)
    }

    /// The name of the database.
    var name: String { address.split(separator: "=").last.map(String.init) ?? "" }

    /// Runs statements without the directory.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await postgres.sql(text, in: address) }

    func directory(clock: any DeviceClock) throws -> any UserDirectory { try database(clock: clock) }

    func adapter() throws -> any AuthAdapter {
        GoTrueAdapter(try GoTrueConfiguration(url: base, key: "anon"), transport: CurlTransport())
    }

    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault, times: Int) throws {
        throw NoRequests()
    }

    func mend() throws {}

    /// No request is counted, because the directory uses no HTTP.
    func requestCount() throws -> Int { 0 }
}

/// A database has no HTTP requests that could be counted.
private struct NoRequests: Error {}
