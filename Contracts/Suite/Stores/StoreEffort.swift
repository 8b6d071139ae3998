/// How much is done to check a promise of stores where luck has a part.
public struct StoreEffort: Sendable, Hashable {
    /// How many processes are killed at their work.
    public var kills: Int
    /// How many processes work at once.
    public var processes: Int
    /// How many replaces each of them does.
    public var replaces: Int
    /// The real time after which a check that does not end counts as broken.
    public var limit: Duration

    /// An effort of one's own.
    public init(kills: Int, processes: Int, replaces: Int, limit: Duration) {
        self.kills = kills
        self.processes = processes
        self.replaces = replaces
        self.limit = limit
    }

    /// Seconds, for every run of the tests.
    public static let short = StoreEffort(kills: 20, processes: 3, replaces: 50, limit: .seconds(60))
}
