import LockstepContracts
import LockstepContractsTesting
import LockstepSaboteurs
import LockstepTestConcurrency
import Testing

/// A saboteur on a provider's bench: where its promise can be checked at all, the check notices in one variant at least.
struct SaboteurCase: Sendable, CustomTestStringConvertible {
    let saboteur: Saboteur
    let bench: any Bench

    static func all(on bench: any Bench) -> [SaboteurCase] {
        Saboteurs.all.map { SaboteurCase(saboteur: $0, bench: bench) }
    }

    var testDescription: String { "adapter=\(bench.name) saboteur=\(saboteur)" }

    /// What makes no difference on a provider: Firebase ends no session for a client, and Clerk's calls carry no access token that
    /// its backend could refuse, and end a late sign-in along with the client that made it.
    private static let harmless: [String: Set<Contract.ID>] = [
        "firebase": ["session.sign-out.dead-token", "session.deadline.late-sign-in", "session.switch.ends-old"],
        "clerk": ["session.sign-out.dead-token", "session.deadline.late-sign-in", "session.token.refused"],
    ]

    func verify() async {
        if Self.harmless[bench.name]?.contains(saboteur.breaks) == true { return }
        guard let promise = Catalog[saboteur.breaks] else { return }
        var isKept = false
        for variant in bench.variants {
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
