internal import Lockstep
public import LockstepContracts

/// A fake for a store that breaks exactly one promise of stores.
public struct StoreMutant: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: StoreContract.ID
    /// What it does, in a few words.
    public let summary: String
    /// The fake.
    public let mutation: StoreMutation

    /// The promise, and what the mutant does.
    public var description: String { "\(breaks): \(summary)" }

    /// A fake that reads the text that names its folder in another way.
    init(_ breaks: String, _ summary: String, directory: @escaping @Sendable (String) -> String) {
        self.breaks = breaks
        self.summary = summary
        mutation = StoreMutation(breaks, directory: directory) { store, _ in store }
    }

    init(_ breaks: String, _ summary: String, _ build: @escaping @Sendable (inout MutantStore, any StorePlace) -> Void) {
        self.breaks = breaks
        self.summary = summary
        mutation = StoreMutation(breaks) { store, place in
            var faulty = MutantStore(base: store)
            build(&faulty, place)
            return faulty
        }
    }

    /// All of them; there is one for every promise of stores.
    public static let all: [StoreMutant] = basics + processes + values + intrusions + folders
}
