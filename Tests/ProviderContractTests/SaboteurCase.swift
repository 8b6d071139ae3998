import LockstepContracts
import LockstepSaboteurs
import Testing

/// A saboteur on a provider's bench: where its promise can be checked at all, the check notices in one variant at least.
struct SaboteurCase {
    let saboteur: Saboteur
    let bench: any Bench

    init(_ saboteur: Saboteur, on bench: any Bench) {
        self.saboteur = saboteur
        self.bench = bench
    }

    func verify() async {
        guard let promise = Catalog[saboteur.breaks] else { return }
        var isKept = false
        for variant in bench.variants {
            switch await promise.check(on: bench, variant, sabotage: saboteur.sabotage).verdict {
            case .broken: return
            case .kept: isKept = true
            case .notOwed, .notChecked: break
            }
        }
        if isKept { Issue.record("on \(bench.name) nobody notices: \(saboteur)") }
    }
}
