internal import Lockstep
public import LockstepContracts

/// A stand-in for a store that breaks exactly one promise of stores.
public struct StoreSaboteur: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: StoreContract.ID
    /// What it does, in a few words.
    public let deed: String
    /// The stand-in.
    public let sabotage: StoreSabotage

    /// The promise and the deed.
    public var description: String { "\(breaks): \(deed)" }

    init(_ breaks: String, _ deed: String, _ build: @escaping @Sendable (inout ImpostorStore, any StorePlace) -> Void) {
        self.breaks = breaks
        self.deed = deed
        sabotage = StoreSabotage(breaks) { store, place in
            var impostor = ImpostorStore(base: store)
            build(&impostor, place)
            return impostor
        }
    }

    /// All of them; there is one for every promise of stores.
    public static let all: [StoreSaboteur] = basics + processes + values + intrusions
}
