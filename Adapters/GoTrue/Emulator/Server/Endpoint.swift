internal import LockstepEmulation
internal import LockstepSQLite

/// The handler of one route.
protocol Endpoint: Sendable {
    /// Whether it only reads and needs no transaction.
    var isReading: Bool { get }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse
}

extension Endpoint {
    var isReading: Bool { false }
}
