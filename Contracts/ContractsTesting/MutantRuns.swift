package import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The setting for runs that check each fault against each contract: `make check` and `make mutants`.
package enum MutantRuns {
    /// The number of faults that a run may check at the same time, from LOCKSTEP_MUTANTS; `nil` in other runs.
    package static let groupSize = ProcessInfo.processInfo.environment["LOCKSTEP_MUTANTS"].flatMap(Int.init)
}

extension Trait where Self == ConditionTrait {
    /// A trait of tests that run only in `make check` and `make mutants`, because they take minutes.
    package static var onlyWithMutants: Self {
        .enabled("not in this run, because it takes minutes: `make check` sets LOCKSTEP_MUTANTS") { MutantRuns.groupSize != nil }
    }
}
