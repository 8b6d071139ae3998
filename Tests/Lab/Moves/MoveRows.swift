import LockstepGoTrueEmulatorDatabase
import LockstepPrimitives
import LockstepStoreHarnesses

/// A database with GoTrue's tables on the server of this process.
struct MoveRows: Sendable {
    let address: String
    private let server: PostgresServer

    init(_ server: PostgresServer) async throws {
        self.server = server
        address = try await server.makeDatabase()
        try await server.sql(GoTrueSchema.tables, in: address)
    }

    /// Runs statements without the directory.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await server.sql(text, in: address) }
}
