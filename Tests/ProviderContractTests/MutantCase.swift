import LockstepContracts
import LockstepContractsTesting
import LockstepMutants
import LockstepTestConcurrency
import Testing

/// A mutant on a provider's harness.
///
/// If its contract applies and the mutant makes a difference, the check notices it in at least one variant.
///
/// A check that is not made, or cannot run, has noticed nothing.
struct MutantCase: Sendable, CustomTestStringConvertible {
    let mutant: Mutant<World>
    let harness: any Harness

    /// Mutants that no check can notice on a harness, by provider and mutant, with the reason.
    private static let unnoticed: [String: [String: String]] = [
        "clerk": [
            "always.waits-tell-truth: reports a constant time of the next message":
                "Clerk documents no time between two messages",
            "always.waits-tell-truth: reports no time of the next message": "Clerk documents no time between two messages",
        ],
        "firebase": ["privacy.canary: shows the session's id in an event": "Firebase's sessions have no id"],
    ]

    static func all(on harness: any Harness) -> [MutantCase] {
        Mutants.all.map { MutantCase(mutant: $0, harness: harness) }
    }

    var testDescription: String { "adapter=\(harness.name) mutant=\(mutant)" }

    func verify() async {
        guard let contract = Catalog[mutant.breaks] else { return }
        let reason = Self.unnoticed[harness.name]?["\(mutant)"]
        var missed: [String] = []
        for variant in harness.variants {
            guard await matters(in: variant) else { continue }
            let verdict = await verdict(on: contract, variant, mutant.mutation)
            switch verdict {
            case .broken:
                if let reason {
                    Issue.record("on \(harness.name) a check notices, and is listed as noticing nothing (\(reason)): \(mutant)")
                }
                return
            case .kept, .failed: missed.append("\(variant): \(verdict.name) \(verdict.reason ?? "")")
            case .notChecked(let reason):
                if harness.cannotCheck[contract.id] == nil { missed.append("\(variant): not checked, \(reason)") }
            case .notApplicable(let reason):
                // A mutant must not make its contract inapplicable.
                let honest = await self.verdict(on: contract, variant, .none)
                if honest.name != "notApplicable" { missed.append("\(variant): not applicable, \(reason)") }
            }
        }
        if !missed.isEmpty, reason == nil {
            Issue.record("on \(harness.name) no check notices: \(mutant) (\(missed.joined(separator: "; ")))")
        }
    }

    private func matters(in variant: Variant) async -> Bool {
        do {
            return mutant.matters(on: variant.behavior, claiming: try await harness.capabilities(in: variant))
        } catch {
            Issue.record("\(harness.name), \(variant): \(error)")
            return false
        }
    }

    private func verdict(on contract: Contract<World>, _ variant: Variant, _ mutation: Mutation) async -> Verdict {
        await LimitedConcurrency.turn { await contract.check(on: harness, variant, mutation: mutation) }.verdict
    }
}
