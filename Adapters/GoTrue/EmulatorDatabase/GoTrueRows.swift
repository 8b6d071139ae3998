@_exported public import LockstepEmulation
internal import LockstepPostgres
@_exported public import LockstepPrimitives
internal import LockstepSQLite
internal import Synchronization

/// Stores the users of a GoTrue emulator in schema `auth` of a PostgreSQL database, for tests and rehearsals.
///
/// Users, identities, second factors, sessions and refresh tokens are rows of the database. The emulator keeps a copy of them.
/// Before each request, it reads the rows that other programs have changed. After a request with changes, it writes them in one
/// transaction. Triggers on the tables record changes. Their functions and the record are in the separate schema
/// `lockstep_emulator`. `DROP SCHEMA lockstep_emulator CASCADE` removes them together with the triggers.
public final class GoTrueRows: RowMirror {
    private let state: Mutex<RowMirrorState>
    private let name: String

    /// Connects to the database and prepares it.
    ///
    /// - Parameters:
    ///   - connectionString: A connection string of libpq: `key=value` pairs or a URI.
    ///   - createsSchema: Whether to create the tables if the database has no schema `auth`.
    ///   - clock: The machine's clock, which measures time limits.
    /// - Throws: `RowMirrorError` with the remedy.
    public init(
        _ connectionString: Secret, createsSchema: Bool = false, clock: any DeviceClock = SystemClock()
    ) throws {
        let state = RowMirrorState(try RowSource(connectionString, clock: clock))
        name = try state.source.prepare(createsSchema: createsSchema)
        self.state = Mutex(state)
    }

    /// The name of the database, and its purpose.
    public var summary: String { "schema auth of database \(name) (for tests and rehearsals)" }

    /// Whether ``init(_:createsSchema:clock:)`` has created the tables, at this start or an earlier one.
    public var mayErase: Bool { state.withLock { $0.source.isOwn } }

    /// Reads all rows.
    public func open(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.open(&connection) }
    }

    /// Reads the rows that other programs have changed.
    public func refresh(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.refresh(&connection) }
    }

    /// Reads the rows that other programs have changed, and locks out other writers.
    public func begin(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.begin(&connection) }
    }

    /// Writes the rows that the request has changed.
    public func commit(_ connection: inout SQLiteConnection) throws {
        try state.withLock { try $0.commit(&connection) }
    }

    /// Rolls back the transaction.
    public func rollBack() { state.withLock { $0.rollBack() } }
}
