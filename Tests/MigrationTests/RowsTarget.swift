import LockstepDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueEmulatorDatabase
import LockstepMoveTargets
import LockstepPrimitives
import LockstepStoreHarnesses
import Synchronization

@testable import LockstepCLI
@testable import LockstepMigration

/// The target's database: a real PostgreSQL with the tables of GoTrue's migrations.
struct RowsTarget: Sendable {
    let address: String
    private let server: PostgresServer

    /// - `server`: A server of the test; the shared one by default.
    init(_ server: PostgresServer? = nil) async throws {
        self.server = if let server { server } else { try await PostgresServer.shared() }
        address = try await self.server.makeDatabase()
        try await self.server.sql(GoTrueSchema.tables, in: address)
    }

    func rows() throws -> GoTrueDatabase { try GoTrueDatabase(Secret(address)) }

    /// Runs statements without the directory.
    @discardableResult
    func sql(_ text: String) async throws -> String { try await server.sql(text, in: address) }

    func count() async throws -> Int { Int(try await sql("SELECT count(*) FROM auth.users")) ?? -1 }

    /// Deletes all users, so that the next run finds none.
    func empty() async throws { try await sql("DELETE FROM auth.users") }

    /// - `directory`: The rows, or a wrapper around them.
    func target(_ directory: (any UserDirectory)? = nil) throws -> MoveTarget {
        let rows = try rows()
        return .goTrue(directory ?? rows, rows: rows, project: "target")
    }
}

/// The rows behind a connection that loses the response to one batch.
struct LossyRows: ForwardingDirectory {
    /// The result of the batch whose response was lost.
    enum Loss: String, CaseIterable, Sendable { case committed, rolledBack }

    let rows: GoTrueDatabase
    let loss: Loss
    private let batch: Int
    private let count = Counter()

    final class Counter: Sendable {
        private let state = Mutex(0)

        func next() -> Int {
            state.withLock { number in
                number += 1
                return number
            }
        }
    }

    /// - `batch`: The number of the batch, from one.
    init(_ rows: GoTrueDatabase, _ loss: Loss, batch: Int) {
        self.rows = rows
        self.loss = loss
        self.batch = batch
    }

    private static let lost = AuthError(.network, "The answer to the commit was lost.")

    var base: any UserDirectory { rows }

    func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        guard count.next() == batch else { return await rows.create(users) }
        if loss == .committed { _ = await rows.create(users) }
        return users.map { _ in .unknown(Self.lost) }
    }

    func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        guard count.next() == batch else { return await rows.delete(ids) }
        if loss == .committed { _ = await rows.delete(ids) }
        return ids.map { _ in .unknown(Self.lost) }
    }
}
