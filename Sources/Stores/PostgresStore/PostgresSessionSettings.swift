/// The settings of a ``PostgresSessionDatabase``.
///
/// ```swift
/// var settings = PostgresSessionSettings()
/// settings.connections = 16
/// settings.limit = .seconds(5)
/// ```
public struct PostgresSessionSettings: Sendable {
    /// The implementation of exclusive locks.
    public enum LockKind: Sendable {
        /// Advisory locks if the server supports them and they exclude each other; otherwise row locks.
        ///
        /// It is tested once.
        case automatic
        /// Locks with `pg_advisory_xact_lock`.
        case advisory
        /// Locks with `SELECT … FOR UPDATE` on a separate row, for clusters without advisory locks.
        case row
    }

    /// The maximum number of connections for loading and replacing.
    public var connections = 8
    /// The maximum number of connections for exclusive locks.
    ///
    /// Each held lock uses one connection, so this many users of one machine can refresh at the same time with separate
    /// connections. Further users share a connection without waiting for each other. But on another machine, a user may
    /// have to wait until all who share the connection have finished.
    public var lockConnections = 8
    /// The time limit of a load or replacement, including reconnecting and retrying.
    public var limit: Duration = .seconds(10)
    /// Whether a host that is not local must prove its identity with a certificate: `sslmode=verify-full`.
    ///
    /// Loopback addresses and Unix sockets are local.
    ///
    /// If the connection string has no `sslmode`, it gets this one; a weaker one is rejected. If this is `false`, the
    /// connection string decides, with libpq's default `sslmode=prefer`. Then an attacker on the network can remove the
    /// encryption, read the password and change the rows.
    public var verifiesServers = true
    /// The implementation of exclusive locks.
    public var lockKind = LockKind.automatic
    /// The maximum time for which a lock can be held.
    ///
    /// Then the server ends it, which is necessary if a machine has failed.
    ///
    /// It must be longer than a refresh may take.
    public var lockLimit: Duration = .seconds(120)
    /// Whether each change is announced with `NOTIFY`.
    ///
    /// Set it to `false` for clusters that do not support it.
    public var notifies = true

    /// Creates the default settings.
    public init() {}
}
