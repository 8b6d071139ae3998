/// What something costs an app that moves, from 0 to 100: the order of every report.
public struct Cost: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// From 0, nothing, to 100.
    public let points: Int

    /// So many points.
    public init(integerLiteral points: Int) { self.points = points }

    /// The group that it belongs to: `safety` from 75 on, `flow` from 50, `screen` from 25, `notice` below.
    public var weight: String {
        switch points {
        case 75...: "safety"
        case 50...: "flow"
        case 25...: "screen"
        default: "notice"
        }
    }

    /// The cheaper one is less.
    public static func < (left: Cost, right: Cost) -> Bool { left.points < right.points }
}

/// What a value means for an app that did not have it: what becomes of it, and what to do.
public struct Effect: Sendable, Hashable {
    /// What it costs.
    public let cost: Cost
    /// What becomes of an app that is left as it is.
    public let consequence: String
    /// What to do, in words; empty where nothing has to be done.
    public let action: String
    /// The call that does it, as it stands in an app's code.
    public let call: String?

    /// What a value means.
    public init(_ cost: Cost, _ consequence: String, _ action: String = "", call: String? = nil) {
        self.cost = cost
        self.consequence = consequence
        self.action = action
        self.call = call
    }
}
