internal import Lockstep
package import LockstepContracts
internal import Synchronization

/// Finds out which of some mutants can change a check: those that replace a call that the check makes.
///
/// A mutant of a client whose calls the check never makes leaves the check as it is. Mutants of adapters, stores and environments count always.
package final class MutantSurvey: Sendable {
    private let mutants: [Mutant]
    private let found: Mutex<Set<Int>>

    /// A survey of one check.
    package init(of mutants: [Mutant]) {
        self.mutants = mutants
        found = Mutex(Set(mutants.indices.filter { !mutants[$0].isOfClients }))
    }

    /// The mutants that can change the check, once it has run with ``mutation``.
    package var relevant: [Mutant] { found.withLock { $0 }.sorted().map { mutants[$0] } }

    /// Replaces the clients of the check, and changes nothing.
    package var mutation: Mutation {
        Mutation(client: { client, context in
            var faulty: [Int: FaultyClient] = [:]
            for (number, mutant) in self.mutants.enumerated() where mutant.isOfClients {
                faulty[number] = mutant.mutation.client(client, context) as? FaultyClient
            }
            self.note(faulty) { $0.isRebased }
            var survey = FaultyClient(client)
            survey.noting = { [faulty] isReplaced in self.note(faulty, where: isReplaced) }
            return survey
        })
    }

    private func note(_ clients: [Int: FaultyClient], where isReplaced: (FaultyClient) -> Bool) {
        let known = found.withLock { $0 }
        let new = clients.filter { !known.contains($0.key) && isReplaced($0.value) }.keys
        if !new.isEmpty { found.withLock { $0.formUnion(new) } }
    }
}
