import LockstepContracts
import LockstepContractsTesting
import LockstepMutants
import LockstepTestConcurrency
import Testing

/// A mutant on a provider's harness: where its promise can be checked and it makes a difference, the check notices in one
/// variant at least.
struct MutantCase: Sendable, CustomTestStringConvertible {
    let mutant: Mutant
    let harness: any Harness

    static func all(on harness: any Harness) -> [MutantCase] {
        Mutants.all.map { MutantCase(mutant: $0, harness: harness) }
    }

    var testDescription: String { "adapter=\(harness.name) mutant=\(mutant)" }

    func verify() async {
        guard let promise = Catalog[mutant.breaks] else { return }
        var isKept = false
        for variant in harness.variants where mutant.matters(on: variant.behavior) {
            let outcome = await LimitedConcurrency.turn { await promise.check(on: harness, variant, mutation: mutant.mutation) }
            switch outcome.verdict {
            case .broken: return
            case .kept: isKept = true
            case .notApplicable, .notChecked: break
            }
        }
        if isKept { Issue.record("on \(harness.name) no check notices: \(mutant)") }
    }
}
