internal import Lockstep
public import LockstepContracts

/// A store with a fault.
///
/// The store breaks one contract of stores. A test shows that the check of this contract finds the fault.
public struct StoreMutant: Sendable, CustomStringConvertible {
    /// The id of the contract that the fault breaks.
    public let breaks: StoreContract.ID
    /// A short description of the fault.
    public let summary: String
    /// The change that causes the fault in the store.
    public let mutation: StoreMutation

    /// The id of the contract, and the description of the fault.
    public var description: String { "\(breaks): \(summary)" }

    /// Creates a fault in the text that names the store's folder.
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

    /// All faulty stores.
    ///
    /// There is one faulty store for every contract of stores.
    public static let all: [StoreMutant] = basics + processes + values + intrusions + folders
}
