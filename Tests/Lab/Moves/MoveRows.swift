import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem

/// A database with GoTrue's tables on the server of this process.
struct MoveRows: Sendable {
    let address: String
    private let server: PostgresServer

    init(_ server: PostgresServer) async throws {
        self.server = server
        address = try await server.makeDatabase()
        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let schema = try AtomicFile.read("\(folder)/Fixtures/GoTrue/schema.sql") ?? []
        try await server.sql(String(decoding: schema, as: UTF8.self), in: address)
    }

    /// Runs statements past the directory.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await server.sql(text, in: address) }
}
