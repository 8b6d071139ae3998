package import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Whether a run has each mutant beside each promise, as those of `make check` and `make mutants` have.
package enum MutantRuns {
    /// The number that LOCKSTEP_MUTANTS sets: how many mutants may be at work together; `nil` in other runs.
    package static let groupSize = ProcessInfo.processInfo.environment["LOCKSTEP_MUTANTS"].flatMap(Int.init)
}

extension Trait where Self == ConditionTrait {
    /// Runs in `make check` and `make mutants` only, as it takes minutes.
    package static var onlyWithMutants: Self {
        .enabled("not in this run: it takes minutes, and `make check` sets LOCKSTEP_MUTANTS") { MutantRuns.groupSize != nil }
    }
}
