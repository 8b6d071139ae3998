import LockstepClerkBench
import LockstepContracts
import LockstepFirebaseBench
import LockstepGoTrueBench

/// The providers that this command knows: the one list that everything loops over.
enum Providers {
    static let names = benches.map(\.name)

    static let benches: [any Bench] = [FirebaseBench(), GoTrueBench(), ClerkBench()]

    /// The benches of these providers, in the order of the list; all where none is named.
    static func benches(named names: [String]) -> [any Bench] {
        names.isEmpty ? benches : benches.filter { names.contains($0.name) }
    }
}
