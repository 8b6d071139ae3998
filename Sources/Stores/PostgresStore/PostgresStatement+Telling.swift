internal import LockstepPostgres
internal import LockstepPrimitives

extension PostgresStatement {
    /// The channel of the change notifications.
    static let channel = "lockstep_sessions"

    /// This change of a row and its notification in one statement, which is one transaction and one round trip to the server; its
    /// count is the number of rows changed.
    ///
    /// The payload is the row's id, a digest: a listener learns nothing about users.
    func told(by id: [UInt8], _ tells: Bool) -> PostgresStatement {
        guard tells else { return self }
        return "WITH changed AS (\(self) RETURNING id) SELECT pg_notify(\(Self.channel), \(Hex.encode(id))) FROM changed"
    }
}
