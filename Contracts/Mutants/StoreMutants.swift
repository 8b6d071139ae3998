internal import Lockstep
public import LockstepContracts

/// A store with a fault.
public typealias StoreMutant = Mutant<StoreWorld>

extension Mutant<StoreWorld> {
    /// Creates a fault in the text that names the store's folder.
    init(_ breaks: String, _ summary: String, directory: @escaping @Sendable (String) -> String) {
        self.init(breaks, summary, StoreMutation(breaks, directory: directory) { store, _ in store })
    }

    init(_ breaks: String, _ summary: String, _ build: @escaping @Sendable (inout MutantStore, any StorePlace) -> Void) {
        self.init(
            breaks, summary,
            StoreMutation(breaks) { store, place in
                var faulty = MutantStore(base: store)
                build(&faulty, place)
                return faulty
            })
    }
}

/// The faults of stores: one for each contract.
public enum StoreMutants {
    /// All faulty stores.
    public static let all: [StoreMutant] = basics + processes + values + intrusions + folders
}
