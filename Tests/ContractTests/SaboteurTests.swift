import LockstepContracts
import LockstepInMemoryBench
import LockstepSaboteurs
import LockstepTestConcurrency
import Testing

@Suite("Saboteurs")
struct SaboteurTests {
    @Test("there is one for every promise, or several, and no other")
    func oneForEach() {
        #expect(Set(Saboteurs.all.map(\.breaks)).sorted() == Catalog.all.map(\.id).sorted())
        #expect(StoreSaboteur.all.map(\.breaks).sorted() == StoreCatalog.all.map(\.id).sorted())
    }

    /// A catalogue for each saboteur is enough to do at a time.
    static let turnstile = Turnstile(width: 2)

    /// The first variant in which the promise is owed shows the deed; there no promise breaks that does not build on it.
    ///
    /// Cases: K05.
    @Test("each breaks its own promise, and none that does not build on it", arguments: Saboteurs.all)
    func breaks(_ saboteur: Saboteur) async throws {
        let own = try #require(Catalog[saboteur.breaks])
        await Self.turnstile.pass { await breaks(saboteur, own) }
    }

    private func breaks(_ saboteur: Saboteur, _ own: Contract) async {
        let bench = InMemoryBench()
        for variant in bench.variants {
            let outcome = await own.check(on: bench, variant, sabotage: saboteur.sabotage)
            guard case .broken = outcome.verdict else { continue }
            let others = Catalog.all.filter { $0.id != own.id }
            for other in await Inspection(of: bench, variants: [variant], contracts: others).outcomes(sabotage: saboteur.sabotage)
            {
                if case .broken(let findings) = other.verdict {
                    Issue.record("\(saboteur) also breaks \(other.contract) (\(variant)): \(findings)")
                }
            }
            return
        }
        Issue.record("nobody notices: \(saboteur)")
    }
}
