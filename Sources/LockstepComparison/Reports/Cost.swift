internal import Lockstep

/// The cost of a change for an app that moves, from 0 to 100.
///
/// Reports are sorted by this cost.
package struct Cost: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// The cost from 0 (nothing) to 100.
    package let points: Int

    /// Creates a cost.
    ///
    /// - Parameter points: The cost from 0 (nothing) to 100.
    package init(integerLiteral points: Int) { self.points = points }

    /// All groups, most expensive first.
    static let weights = [
        Weight(name: "safety", meaning: "users or data at risk, or users locked out"),
        Weight(name: "flow", meaning: "the next screen is different"),
        Weight(name: "screen", meaning: "different text or fields on a screen"),
        Weight(name: "notice", meaning: "good to know"),
    ]

    /// A group of costs.
    struct Weight {
        let name: String
        /// The meaning of such a change for the app.
        let meaning: String
    }

    /// The group: `safety` from 75, `flow` from 50, `screen` from 25, and `notice` for lower costs.
    package var weight: String {
        switch points {
        case 75...: "safety"
        case 50...: "flow"
        case 25...: "screen"
        default: "notice"
        }
    }

    /// Returns whether one cost is lower than another.
    ///
    /// - Parameters:
    ///   - left: The first cost.
    ///   - right: The second cost.
    /// - Returns: Whether the first cost is lower.
    package static func < (left: Cost, right: Cost) -> Bool { left.points < right.points }
}

/// The work that a remedy takes, smallest first.
package enum Effort: String, Sendable, Hashable, CaseIterable {
    /// Nothing must be done.
    case none
    /// A setting of the backend.
    case setting
    /// A few lines of the app, without a change that a user sees.
    case line
    /// A screen of the app.
    case screen
    /// Code or data of a server.
    case server

    /// The work, to follow a number.
    func words(_ count: Int) -> String {
        switch self {
        case .none: count == 1 ? "change without work" : "changes without work"
        case .setting: count == 1 ? "setting" : "settings"
        case .line: count == 1 ? "line of code" : "lines of code"
        case .screen: count == 1 ? "change to a screen" : "changes to screens"
        case .server: count == 1 ? "change on your server" : "changes on your server"
        }
    }

    /// The work of one change; `nil` if there is none.
    var label: String? {
        switch self {
        case .none: nil
        case .setting: "a setting"
        case .line: "a line of code"
        case .screen: "a screen"
        case .server: "server and data"
        }
    }
}

/// The meaning of a new value for an app: the cost, the effect, and the remedy.
///
/// Text between backticks is code.
package struct Effect: Sendable, Hashable {
    /// The cost of the change for an app.
    package let cost: Cost
    /// The work that the remedy takes.
    package let effort: Effort
    /// The effect on an app that does nothing.
    package let consequence: String
    /// The remedy; empty if no remedy is necessary.
    package let action: String
    /// The Swift code of the remedy; `nil` if the remedy has no code.
    ///
    /// Tests/Fixtures/MoveCalls.md explains the names in this code.
    package let call: String?
    /// The capability that the call requires; `nil` if every adapter supports the call.
    let needs: Need?
    /// The effect in a few words, if it is so important that a verdict about the whole move names it.
    var brief: String?
    /// The work in a few words, if it may be most of the work of a whole move.
    var work: String?
    /// Whether the consequence says too little without its subject.
    var isGeneral = false

    /// A capability that a call requires.
    struct Need: Sendable, Hashable {
        let capability: Capability
        /// The remedy for a provider without it.
        let otherwise: String
        /// The work of that remedy.
        var effort = Effort.server
    }

    /// Creates an effect.
    ///
    /// - Parameters:
    ///   - cost: The cost of the change for an app.
    ///   - effort: The work that the remedy takes.
    ///   - consequence: The effect on an app that does nothing.
    ///   - action: The remedy. Default: empty.
    ///   - call: The Swift code of the remedy; `nil` if the remedy has no code.
    package init(_ cost: Cost, _ effort: Effort, _ consequence: String, _ action: String = "", call: String? = nil) {
        self.init(cost, effort, consequence, action, call: call, needs: nil)
    }

    init(_ cost: Cost, _ effort: Effort, _ consequence: String, _ action: String, call: String?, needs: Need?) {
        self.cost = cost
        self.effort = effort
        self.consequence = consequence
        self.action = action
        self.call = call
        self.needs = needs
    }

    /// Returns the effect for an app on this backend, without calls that its adapter rejects.
    func on(_ configuration: Configuration?) -> Effect {
        guard let needs, configuration?["can:\(needs.capability.rawValue)"] == "no" else { return self }
        return Effect(cost, needs.effort, consequence, needs.otherwise)
    }

    /// The consequence and the remedy in one or two sentences, without the call.
    var sentence: String {
        let parts = [consequence.capitalizedFirst + ".", action.isEmpty ? nil : action.capitalizedFirst + "."]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension Effect.Need {
    /// The effect of ending a user's other sessions, which some providers allow only to a server.
    static let signOutOthers = Self(
        capability: .signOutOthers, otherwise: "end the sessions from your server, with the admin API")
    static let signOutEverywhere = Self(
        capability: .signOutEverywhere, otherwise: "end the user's sessions from your server, with the admin API")
    static let reauthentication = Self(
        capability: .reauthentication, otherwise: "sign the user out, and let the user sign in again",
        effort: .screen)
}
