public import LockstepContracts

/// A stand-in that breaks exactly one promise.
public struct Saboteur: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: Contract.ID
    /// What it does, in a few words.
    public let deed: String
    /// The stand-ins.
    public let sabotage: Sabotage

    init(_ breaks: Contract.ID, _ deed: String, _ sabotage: Sabotage) {
        self.breaks = breaks
        self.deed = deed
        self.sabotage = sabotage
    }

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
