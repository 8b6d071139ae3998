internal import Lockstep

/// What something costs an app that moves, from 0 to 100: the order of every report.
public struct Cost: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// From 0, nothing, to 100.
    public let points: Int

    /// So many points.
    public init(integerLiteral points: Int) { self.points = points }

    /// All groups, the most expensive first.
    static let weights = [
        Weight(name: "safety", meaning: "users or data at risk, or users locked out"),
        Weight(name: "flow", meaning: "the next screen is different"),
        Weight(name: "screen", meaning: "different text or fields on a screen"),
        Weight(name: "notice", meaning: "good to know"),
    ]

    /// A group of costs.
    struct Weight {
        let name: String
        /// What such a change means for the app.
        let meaning: String
    }

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

/// What a value means for an app that did not have it: what happens to it, and what to do.
///
/// Text between backticks is code.
public struct Effect: Sendable, Hashable {
    /// What it costs.
    public let cost: Cost
    /// What happens to an app that is left as it is.
    public let consequence: String
    /// What to do, in words; empty if nothing has to be done.
    public let action: String
    /// The statement that does it, as it stands in an app's code; docs/moving.md says what its names are.
    public let call: String?
    /// What the call takes of an adapter; `nil` if every adapter takes it.
    let needs: Need?

    /// A capability that a call takes.
    struct Need: Sendable, Hashable {
        let capability: Capability
        /// What to do with a provider that has it not.
        let otherwise: String
    }

    /// What a value means.
    public init(_ cost: Cost, _ consequence: String, _ action: String = "", call: String? = nil) {
        self.init(cost, consequence, action, call: call, needs: nil)
    }

    init(_ cost: Cost, _ consequence: String, _ action: String, call: String?, needs: Need?) {
        self.cost = cost
        self.consequence = consequence
        self.action = action
        self.call = call
        self.needs = needs
    }

    /// The same for an app on this backend: no call is advised that its adapter rejects.
    func on(_ configuration: Configuration?) -> Effect {
        guard let needs, configuration?["can:\(needs.capability.rawValue)"] == "no" else { return self }
        return Effect(cost, consequence, needs.otherwise)
    }

    /// Consequence and what to do, in one sentence or two, without the call.
    var sentence: String {
        let parts = [consequence.capitalizedFirst + ".", action.isEmpty ? nil : action.capitalizedFirst + "."]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension Effect.Need {
    /// Ending other sessions of a user, which only a server may do elsewhere.
    static let signOutOthers = Self(
        capability: .signOutOthers, otherwise: "end them from your server, with the admin API")
    static let signOutEverywhere = Self(
        capability: .signOutEverywhere, otherwise: "end the user's sessions from your server, with the admin API")
    static let reauthentication = Self(
        capability: .reauthentication, otherwise: "sign the user out, and let the user sign in again")
}
