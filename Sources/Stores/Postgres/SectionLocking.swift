internal import LockstepPostgres
internal import LockstepPrimitives

/// Begins a transaction that holds a lock.
struct SectionLocking {
    let connection: PostgresConnection
    let kind: PostgresSessionSettings.SectionLock

    /// Begins the transaction and waits for the lock; without it, no transaction is left open.
    ///
    /// - Parameter limit: how long the server lets the transaction lie still.
    /// - Returns: whether it is held; false also where the patience was over.
    func begin(_ id: [UInt8], patience: Duration, limit: Duration) throws(PostgresError) -> Bool {
        if kind == .row {
            // Committed before anybody locks it, so that all lock the same row.
            try connection.commit("INSERT INTO lockstep_sections (id) VALUES (\(id)) ON CONFLICT DO NOTHING")
        }
        try connection.run("BEGIN")
        do throws(PostgresError) {
            // A time-out of 0 would be none.
            let (waits, stays) = ("\(max(1, patience.milliseconds))ms", "\(max(1, limit.milliseconds))ms")
            try connection.run(
                """
                SELECT set_config('lock_timeout', \(waits), true), set_config('idle_in_transaction_session_timeout', \(stays), true)
                """)
            if try lock(id, waits: patience > .zero) { return true }
        } catch {
            if error.kind == .refused { try connection.run("ROLLBACK") }
            if error.state == .lockNotAvailable { return false }
            throw error
        }
        try connection.run("ROLLBACK")
        return false
    }

    private func lock(_ id: [UInt8], waits: Bool) throws(PostgresError) -> Bool {
        switch (kind, waits) {
        case (.row, true):
            return try connection.run("SELECT 1 FROM lockstep_sections WHERE id = \(id) FOR UPDATE").count > 0
        case (.row, false):
            return try connection.run("SELECT 1 FROM lockstep_sections WHERE id = \(id) FOR UPDATE NOWAIT").count > 0
        case (_, true):
            try connection.run("SELECT pg_advisory_xact_lock(\(Self.number(id)))")
            return true
        case (_, false):
            return try connection.run("SELECT pg_try_advisory_xact_lock(\(Self.number(id)))").rows.first?[0] ?? false
        }
    }

    /// The 64 bits that an advisory lock has for its name: two users who share them wait for each other, and nothing more.
    private static func number(_ id: [UInt8]) -> Int64 {
        id.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
