import Foundation
import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepSQLite
import LockstepStoreHarnesses
import LockstepTestSupport

/// GoTrue's users in a real PostgreSQL, in tables as its migrations make them, and an emulator that serves these rows.
///
/// Before each request of an app the emulator gets the rows as they are then, so that a sign-in shows what a row is worth.
struct GoTrueDatabaseHarness: DirectoryHarness {
    let name = "gotrue database"

    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result {
        try await with { project in try await body(project) }
    }

    /// - Parameter server: A server of the test's own; the one that all share unless given.
    func with<Result: Sendable>(
        server: PostgresServer? = nil, _ body: (GoTrueDatabaseProject) async throws -> Result
    ) async throws -> Result {
        let postgres = if let server { server } else { try await PostgresServer.shared() }
        let address = try await postgres.makeDatabase()
        let schema = try String(contentsOf: Self.schema, encoding: .utf8)
        try await postgres.sql(schema, in: address)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-rows-\(address.hashValue)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = EmulatorOptions()
        options.storage = .folder(folder.path)
        let settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        let server = try GoTrueEmulator.start(settings, options: options)
        defer { server.stop() }
        let rows = CopiedRows(postgres: postgres, address: address, file: folder.path + "/gotrue.sqlite")
        return try await body(GoTrueDatabaseProject(address: address, base: server.base, rows: rows))
    }

    private static let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/GoTrue/schema.sql")
}

struct GoTrueDatabaseProject: DirectoryProject {
    let address: String
    let base: String
    let rows: CopiedRows

    func database(clock: any DeviceClock = SystemClock()) throws -> GoTrueDatabase {
        try GoTrueDatabase(Secret(address), clock: clock)
    }

    /// The name of the database.
    var name: String { address.split(separator: "=").last.map(String.init) ?? "" }

    /// Runs statements past the directory.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await rows.postgres.sql(text, in: address) }

    func directory(clock: any DeviceClock) throws -> any UserDirectory { try database(clock: clock) }

    func adapter() throws -> any AuthAdapter {
        GoTrueAdapter(try GoTrueConfiguration(url: base, key: "anon"), transport: rows)
    }

    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault, times: Int) throws {
        throw NoRequests()
    }

    func mend() throws {}

    /// None counts: nothing goes over a wire.
    func requestCount() throws -> Int { 0 }
}

/// A database is asked without a wire whose requests could be counted.
private struct NoRequests: Error {}

/// Carries an app's requests, after the rows of PostgreSQL have been copied into the emulator's tables, which have the same columns.
struct CopiedRows: HTTPTransport {
    let postgres: PostgresServer
    let address: String
    let file: String
    private let transport = CurlTransport()

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        do {
            try await copy()
        } catch {
            throw HTTPFailure(.other, .neverSent, "the rows could not be served: \(error)")
        }
        return try await transport.send(request)
    }

    private func copy() async throws {
        var connection = try SQLiteConnection(.file(file), busyTimeout: .seconds(30))
        var tables: [(name: String, rows: [JSONObject])] = []
        for name in ["users", "identities", "mfa_factors"] {
            let lines = try await postgres.sql("SELECT to_json(t) FROM auth.\(name) t", in: address)
            tables.append((name, try lines.split(separator: "\n").map { try JSON.parse(Array($0.utf8)).object ?? [:] }))
        }
        try connection.transaction { connection in
            for (name, rows) in tables.reversed() {
                let ids = rows.compactMap { $0["id"]?.string }
                try connection.run("DELETE FROM \(Self.table(name)) WHERE id NOT IN (\(list: ids))")
            }
            for (name, rows) in tables {
                let columns: [String] = try connection.all("SELECT name FROM pragma_table_info(\(name)) WHERE name <> 'row'") {
                    row throws(SQLiteError) in try row[0]
                }
                for row in rows {
                    let values = columns.map { Self.value($0, row[$0]) }
                    try connection.run(
                        "INSERT OR REPLACE INTO \(Self.table(name)) (\(Self.names(columns))) VALUES (\(list: values))")
                }
            }
        }
    }

    private static func table(_ name: String) -> SQL { SQL(stringLiteral: name) }

    private static func names(_ columns: [String]) -> SQL { SQL(stringLiteral: columns.joined(separator: ", ")) }

    /// Times are milliseconds in the emulator's tables, JSON is text; `NULL` stays, which the server's reader refuses where the emulator's
    /// columns do.
    private static func value(_ column: String, _ value: JSON?) -> SQLiteValue {
        switch value {
        case .string(let text) where column.hasSuffix("_at") || column == "banned_until":
            Instant(rfc3339: text).map { .int($0.milliseconds) } ?? .text(text)
        case .string(let text): .text(text)
        case .int(let number): .int(Int64(number))
        case .bool(let truth): .int(truth ? 1 : 0)
        case .object, .array: .text(value?.text() ?? "")
        case nil where column == "phone": .text("")
        default: .null
        }
    }
}
