internal import LockstepPostgres
internal import LockstepPrimitives

/// Acquires locks that a transaction holds until it ends.
///
/// No statement here waits for a lock, so waiting callers keep no connection.
struct LockStatements {
    let connection: PostgresConnection
    let kind: PostgresSessionSettings.LockKind

    /// Begins the transaction.
    ///
    /// `limit` says how long the server lets it stay idle.
    func begin(stays limit: Duration) throws(PostgresError) {
        try connection.run("BEGIN")
        // A time limit of 0 would mean no limit.
        let stays = "\(max(1, limit.milliseconds))ms"
        try connection.run("SELECT set_config('idle_in_transaction_session_timeout', \(stays), true)")
    }

    /// Takes the lock of a row's id if it is free.
    ///
    /// For a row lock, ``makeRow(_:)`` must have made the row before.
    func lock(_ id: [UInt8]) throws(PostgresError) -> Bool {
        guard kind == .row else {
            return try connection.run("SELECT pg_try_advisory_xact_lock(\(Self.number(id)))").rows.first?[0] ?? false
        }
        // A lock that is not free must not cause an error. An error would end the transaction, and with it the locks of others.
        return try connection.run("SELECT 1 FROM lockstep_sections WHERE id = \(id) FOR UPDATE SKIP LOCKED").count > 0
    }

    /// Makes the row for a lock, on a connection without a transaction.
    ///
    /// The row is committed before it is locked, so that all callers lock the same row.
    static func makeRow(_ id: [UInt8], on connection: PostgresConnection) throws(PostgresError) {
        try connection.commit("INSERT INTO lockstep_sections (id) VALUES (\(id)) ON CONFLICT DO NOTHING")
    }

    /// Returns the 64 bits that identify an advisory lock.
    ///
    /// If two users have the same bits, they only wait for each other.
    private static func number(_ id: [UInt8]) -> Int64 {
        id.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
