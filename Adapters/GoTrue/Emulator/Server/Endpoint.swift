internal import LockstepEmulation
internal import LockstepSQLite

/// What answers one route.
protocol Endpoint: Sendable {
    /// Whether it only reads: then nothing is begun and committed.
    var isReading: Bool { get }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse
}

extension Endpoint {
    var isReading: Bool { false }
}
