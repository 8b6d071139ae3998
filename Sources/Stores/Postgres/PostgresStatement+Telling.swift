internal import LockstepPostgres
internal import LockstepPrimitives

extension PostgresStatement {
    /// The channel on which changes are told.
    static let channel = "lockstep_sessions"

    /// This change of a row and the news of it in one statement, which is one transaction and one way to the server; its count is
    /// the number of rows changed.
    ///
    /// The news is the row's id, a digest: who listens learns nothing about users.
    func told(by id: [UInt8], _ tells: Bool) -> PostgresStatement {
        guard tells else { return self }
        return "WITH changed AS (\(self) RETURNING id) SELECT pg_notify(\(Self.channel), \(Hex.encode(id))) FROM changed"
    }
}
