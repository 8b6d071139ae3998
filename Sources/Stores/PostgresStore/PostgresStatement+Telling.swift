internal import LockstepPostgres
internal import LockstepPrimitives

extension PostgresStatement {
    /// The channel for notifications of changes.
    static let channel = "lockstep_sessions"

    /// Returns this change of a row together with its notification, as one statement.
    ///
    /// It is one transaction, and one exchange with the server. Its count is the number of changed rows. The notification
    /// contains only the id of the row, which is a digest. So a listener learns nothing about users.
    func told(by id: [UInt8], _ tells: Bool) -> PostgresStatement {
        guard tells else { return self }
        return "WITH changed AS (\(self) RETURNING id) SELECT pg_notify(\(Self.channel), \(Hex.encode(id))) FROM changed"
    }
}
