/// How a ``PostgresSessionDatabase`` uses its server.
public struct PostgresSessionSettings: Sendable {
    /// How exclusive locks are made.
    public enum LockKind: Sendable {
        /// By advisory locks where the server has them and they do exclude, by row locks elsewhere: found out once, by trying.
        case automatic
        /// By `pg_advisory_xact_lock`.
        case advisory
        /// By `SELECT … FOR UPDATE` on a row of its own: for clusters without advisory locks.
        case row
    }

    /// The most connections for loading and replacing.
    public var connections = 8
    /// The most connections for exclusive locks.
    ///
    /// Each held lock takes one, so this is how many users of one machine can refresh at the same moment with a connection each.
    /// More of them share one, without waiting for each other; but on another machine a user may have to wait until all who share
    /// the connection are done.
    public var lockConnections = 8
    /// Time limit of a load or a replace, reconnecting and retrying included.
    public var limit: Duration = .seconds(10)
    /// Whether a host that is not local (no loopback address, no Unix socket) must prove by its certificate that it is the one named:
    /// `sslmode=verify-full`, which a connection string that says nothing then gets, and one that says less is refused for.
    ///
    /// False takes what the connection string says, and libpq's `sslmode=prefer` where it says nothing: an attacker on the
    /// network path can then remove the encryption, and read the password and change the rows.
    public var verifiesServers = true
    /// How exclusive locks are made.
    public var lockKind = LockKind.automatic
    /// The longest that a lock may be held; then the server ends it, as it must where a machine has died in silence.
    ///
    /// It must be longer than a refresh may take.
    public var lockLimit: Duration = .seconds(120)
    /// Whether each change is notified by `NOTIFY`; for clusters that do not have it, false.
    public var notifies = true

    /// The defaults.
    public init() {}
}
