@_exported public import LockstepEmulation
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSQLite
internal import Synchronization

/// The users of a GoTrue emulator in the schema `auth` of a PostgreSQL database, for tests and rehearsals.
///
/// Users, identities, second factors, sessions and refresh tokens are rows of the database, and the emulator keeps a
/// copy of these rows. Before each request, the emulator reads the rows that other programs have changed. After a
/// request with changes, the emulator writes the changed rows in one transaction.
///
/// Triggers on the tables record the changes of other programs. The record and the functions of the triggers are in the
/// separate schema `lockstep_emulator`. `DROP SCHEMA lockstep_emulator CASCADE` removes the record, the functions and
/// the triggers.
package final class GoTrueRows: RowMirror {
    private let state: Mutex<RowMirrorState>
    private let name: String

    /// Connects to the database and prepares it.
    ///
    /// - Parameters:
    ///   - connectionString: A connection string of libpq: `key=value` pairs or a URI.
    ///   - createsSchema: Whether to create the tables if the database has no schema `auth`.
    ///   - clock: The machine's clock, which is used for time limits.
    /// - Throws: `RowMirrorError` if the database cannot be used. The message says what to do.
    package init(
        _ connectionString: Secret, createsSchema: Bool = false, clock: any DeviceClock = SystemClock()
    ) throws {
        let state = RowMirrorState(try RowSource(connectionString, clock: clock))
        name = try state.source.prepare(createsSchema: createsSchema)
        self.state = Mutex(state)
    }

    /// The name of the database, and its purpose.
    package var summary: String { "schema auth of database \(name) (for tests and rehearsals)" }

    /// Whether the emulator may delete all rows.
    ///
    /// It may do so if it created the tables itself, at this start or at an earlier start.
    package var mayErase: Bool { state.withLock { $0.source.isOwn } }

    /// Reads all rows into the emulator's copy.
    ///
    /// - Throws: `RowMirrorError` if the database cannot be used.
    package func open(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.open(&connection) }
    }

    /// Updates the emulator's copy with the rows that other programs have changed.
    ///
    /// - Throws: `RowMirrorError` if the database cannot be used.
    package func refresh(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.refresh(&connection) }
    }

    /// Locks the tables against other writers, and reads the rows that other programs have changed.
    ///
    /// - Parameter connection: The emulator's connection.
    /// - Throws: `RowMirrorError` if the database cannot be used.
    package func begin(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.begin(&connection) }
    }

    /// Writes the rows that the request has changed.
    ///
    /// - Parameter connection: The emulator's connection.
    /// - Throws: `RowMirrorError` if the database rejects a change.
    package func commit(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.commit(&connection) }
    }

    /// Rolls back the transaction, and discards the changes of the request.
    package func rollBack() { state.withLock { $0.rollBack() } }
}
