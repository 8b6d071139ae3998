/// The effort with which store contracts search for faults that occur by chance.
public struct StoreEffort: Sendable, Hashable {
    /// The number of processes that a check kills while they work.
    public var kills: Int
    /// The number of processes that work at the same time.
    public var processes: Int
    /// The number of times that each process replaces the value.
    public var replaces: Int
    /// The number of bits that a check changes, one after the other.
    public var flips: Int
    /// The maximum real time of a check.
    ///
    /// A check that takes longer breaks the contract.
    public var limit: Duration

    /// Creates an effort.
    ///
    /// - Parameters:
    ///   - kills: The number of processes that a check kills while they work.
    ///   - processes: The number of processes that work at the same time.
    ///   - replaces: The number of times that each process replaces the value.
    ///   - flips: The number of bits that a check changes, one after the other. Default: 64.
    ///   - limit: The maximum real time of a check. A check that takes longer breaks the contract.
    public init(kills: Int, processes: Int, replaces: Int, flips: Int = 64, limit: Duration) {
        self.kills = kills
        self.processes = processes
        self.replaces = replaces
        self.flips = flips
        self.limit = limit
    }

    /// The effort for every test run, in which a check takes a few seconds.
    ///
    /// Only a process that hangs reaches the time limit. On a busy machine, a check can take a minute.
    public static let short = StoreEffort(kills: 20, processes: 3, replaces: 50, limit: .seconds(300))
}
