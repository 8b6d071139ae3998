internal import Lockstep
public import LockstepContracts

/// A fake store that breaks exactly one contract of stores.
public struct StoreMutant: Sendable, CustomStringConvertible {
    /// The contract that it breaks.
    public let breaks: StoreContract.ID
    /// A short description.
    public let summary: String
    /// The fake.
    public let mutation: StoreMutation

    /// The contract and the mutant's description.
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

    /// All mutants; there is one for every contract of stores.
    public static let all: [StoreMutant] = basics + processes + values + intrusions + folders
}
