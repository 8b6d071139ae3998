/// How a ``PostgresSessionDatabase`` uses its server.
public struct PostgresSessionSettings: Sendable {
    /// How exclusive sections are made.
    public enum SectionLock: Sendable {
        /// By advisory locks where the server has them and they do exclude, by row locks elsewhere: found out once, by trying.
        case automatic
        /// By `pg_advisory_xact_lock`.
        case advisory
        /// By `SELECT … FOR UPDATE` on a row of its own: for clusters without advisory locks.
        case row
    }

    /// The most connections for loading and replacing.
    public var connections = 8
    /// The most connections for exclusive sections.
    ///
    /// Each section that runs holds one, so this is how many users of one machine can refresh at the same moment; more of them wait.
    public var sections = 8
    /// By when a load or a replace has ended, reconnecting and trying again included.
    public var limit: Duration = .seconds(10)
    /// How exclusive sections are made.
    public var sectionLock = SectionLock.automatic
    /// The longest that a section may last; then the server ends it, as it must where a machine has died in silence.
    ///
    /// It must be longer than a refresh may take.
    public var sectionLimit: Duration = .seconds(120)
    /// Whether each change is told by `NOTIFY`; for clusters that have none, false.
    public var notifies = true

    /// The defaults.
    public init() {}
}
