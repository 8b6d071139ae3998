import LockstepContracts
import LockstepContractsTesting
import LockstepSaboteurs
import LockstepTestConcurrency
import Testing

/// A saboteur on a provider's bench: where its promise can be checked and its deed makes a difference, the check notices in one
/// variant at least.
struct SaboteurCase: Sendable, CustomTestStringConvertible {
    let saboteur: Saboteur
    let bench: any Bench

    static func all(on bench: any Bench) -> [SaboteurCase] {
        Saboteurs.all.map { SaboteurCase(saboteur: $0, bench: bench) }
    }

    var testDescription: String { "adapter=\(bench.name) saboteur=\(saboteur)" }

    func verify() async {
        guard let promise = Catalog[saboteur.breaks] else { return }
        var isKept = false
        for variant in bench.variants where saboteur.matters(on: variant.conduct) {
            let outcome = await LimitedConcurrency.turn { await promise.check(on: bench, variant, sabotage: saboteur.sabotage) }
            switch outcome.verdict {
            case .broken: return
            case .kept: isKept = true
            case .notOwed, .notChecked: break
            }
        }
        if isKept { Issue.record("on \(bench.name) nobody notices: \(saboteur)") }
    }
}
