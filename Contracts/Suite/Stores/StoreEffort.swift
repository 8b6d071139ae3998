/// How much is done to check a promise of stores where luck has a part.
public struct StoreEffort: Sendable, Hashable {
    /// How many processes are killed at their work.
    public var kills: Int
    /// How many processes work at once.
    public var processes: Int
    /// How many replaces each of them does.
    public var replaces: Int
    /// How many bits are flipped, one after another.
    public var flips: Int
    /// The real time after which a check that does not end counts as broken.
    public var limit: Duration

    /// An effort of one's own.
    public init(kills: Int, processes: Int, replaces: Int, flips: Int = 64, limit: Duration) {
        self.kills = kills
        self.processes = processes
        self.replaces = replaces
        self.flips = flips
        self.limit = limit
    }

    /// Seconds, for every run of the tests.
    ///
    /// The limit is for what hangs: on a machine that does much else the work itself may take a minute.
    public static let short = StoreEffort(kills: 20, processes: 3, replaces: 50, limit: .seconds(300))

    /// A minimal, at a promise that is known to be kept and should still be where a mutant breaks another one.
    public static let minimal = StoreEffort(kills: 2, processes: 2, replaces: 5, flips: 8, limit: .seconds(300))
}
