/// The settings of a ``PostgresSessionDatabase``.
///
/// ```swift
/// var settings = PostgresSessionSettings()
/// settings.connections = 16
/// settings.limit = .seconds(5)
/// ```
public struct PostgresSessionSettings: Sendable {
    /// The kind of exclusive lock that the store uses.
    public enum LockKind: Sendable {
        /// Advisory locks, if the server supports them and they exclude each other; otherwise row locks.
        ///
        /// The database tests this once.
        case automatic
        /// Locks with `pg_advisory_xact_lock`.
        case advisory
        /// Locks with `SELECT … FOR UPDATE` on a row for the lock.
        ///
        /// Use them for clusters that do not support advisory locks.
        case row
    }

    /// The maximum number of connections for reading and writing values.
    public var connections = 8
    /// The maximum number of connections for exclusive locks.
    ///
    /// Each held lock needs a connection. If more users of this machine hold a lock, several locks share a connection.
    /// These users do not wait for each other. But a user on another machine may have to wait until all locks of the
    /// shared connection are released.
    public var lockConnections = 8
    /// The time limit for reading or writing a value.
    ///
    /// The limit includes the time for reconnections and retries.
    public var limit: Duration = .seconds(10)
    /// Whether to verify the certificate of a remote host: `sslmode=verify-full`.
    ///
    /// Loopback addresses and Unix sockets are not remote. If the connection string contains no `sslmode`,
    /// `verify-full` is used. If the connection string contains a weaker mode, the database rejects the string.
    ///
    /// If this property is `false`, the database uses the mode in the connection string, or libpq's default
    /// `sslmode=prefer`. In that case, an attacker on the network can remove the encryption, read the password and
    /// change the rows.
    public var verifiesServers = true
    /// The kind of exclusive lock that the store uses.
    public var lockKind = LockKind.automatic
    /// The longest time for which a lock can be held.
    ///
    /// After this time, the server releases the lock.
    ///
    /// This limit is necessary in case the machine that holds the lock fails. The limit must be longer than the slowest refresh.
    public var lockLimit: Duration = .seconds(120)
    /// Whether the database announces each change with `NOTIFY`.
    ///
    /// Set it to `false` for clusters that do not support `NOTIFY`.
    public var notifies = true

    /// Creates the default settings.
    public init() {}
}
