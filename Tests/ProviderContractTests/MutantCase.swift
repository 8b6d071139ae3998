import LockstepContracts
import LockstepContractsTesting
import LockstepMutants
import LockstepTestConcurrency
import Testing

/// A mutant on a provider's bench: where its promise can be checked and it makes a difference, the check notices in one
/// variant at least.
struct MutantCase: Sendable, CustomTestStringConvertible {
    let mutant: Mutant
    let bench: any Bench

    static func all(on bench: any Bench) -> [MutantCase] {
        Mutants.all.map { MutantCase(mutant: $0, bench: bench) }
    }

    var testDescription: String { "adapter=\(bench.name) mutant=\(mutant)" }

    func verify() async {
        guard let promise = Catalog[mutant.breaks] else { return }
        var isKept = false
        for variant in bench.variants where mutant.matters(on: variant.behavior) {
            let outcome = await LimitedConcurrency.turn { await promise.check(on: bench, variant, mutation: mutant.mutation) }
            switch outcome.verdict {
            case .broken: return
            case .kept: isKept = true
            case .notOwed, .notChecked: break
            }
        }
        if isKept { Issue.record("on \(bench.name) no check notices: \(mutant)") }
    }
}
