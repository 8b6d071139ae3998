/// The effort for checks of store contracts that depend on chance.
public struct StoreEffort: Sendable, Hashable {
    /// The number of processes that are killed while they work.
    public var kills: Int
    /// The number of concurrent processes.
    public var processes: Int
    /// The number of replacements that each process makes.
    public var replaces: Int
    /// The number of bits that are flipped, one at a time.
    public var flips: Int
    /// The real time after which an unfinished check counts as broken.
    public var limit: Duration

    /// Creates an effort.
    public init(kills: Int, processes: Int, replaces: Int, flips: Int = 64, limit: Duration) {
        self.kills = kills
        self.processes = processes
        self.replaces = replaces
        self.flips = flips
        self.limit = limit
    }

    /// An effort of a few seconds, for every test run.
    ///
    /// The limit is for processes that hang. On a busy machine, the work may take a minute.
    public static let short = StoreEffort(kills: 20, processes: 3, replaces: 50, limit: .seconds(300))

    /// A minimal effort, for a contract that is known to be kept and must stay so while a mutant breaks another one.
    public static let minimal = StoreEffort(kills: 2, processes: 2, replaces: 5, flips: 8, limit: .seconds(300))
}
