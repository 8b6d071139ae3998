@_exported public import Lockstep
@_exported public import LockstepContracts

/// A stand-in that breaks exactly one promise.
public struct Saboteur: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: Contract.ID
    /// What it does, in a few words.
    public let deed: String
    /// The stand-ins.
    public let sabotage: Sabotage
    /// Where its deed makes a difference; everywhere without a condition.
    public let matters: [Condition]

    init(_ breaks: Contract.ID, _ deed: String, matters: [Condition] = [], _ sabotage: Sabotage) {
        self.breaks = breaks
        self.deed = deed
        self.matters = matters
        self.sabotage = sabotage
    }

    /// Whether its deed makes a difference on a backend with this conduct.
    public func matters(on conduct: Conduct) -> Bool { matters.allSatisfy { $0.holds(for: conduct) } }

    /// The promise and the deed.
    public var description: String { "\(breaks): \(deed)" }
}

/// Every saboteur, by the theme of its promise.
public enum Saboteurs {
    /// All of them; there is at least one for every promise of the catalogue.
    public static let all: [Saboteur] =
        signUp + addresses + verification + signIn + federated + guests + account + session + refresh + owner + calls + endings
        + callbacks + errors + capabilities + keeping
}
