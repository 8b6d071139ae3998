internal import Lockstep
package import LockstepContracts
internal import Synchronization

/// A survey of the faults that can affect a check: the faults in the calls that the check makes.
///
/// A fault in a client's call cannot affect a check that never makes the call. The survey always includes faults in adapters,
/// stores and environments.
package final class MutantSurvey: Sendable {
    private let mutants: [Mutant]
    private let found: Mutex<Set<Int>>

    /// Creates a survey of one check.
    ///
    /// - Parameter mutants: The faults to examine.
    package init(of mutants: [Mutant]) {
        self.mutants = mutants
        found = Mutex(Set(mutants.indices.filter { !mutants[$0].isOfClients }))
    }

    /// The faults that can affect the check.
    ///
    /// Read it after the check has run with ``mutation``.
    package var relevant: [Mutant] { found.withLock { $0 }.sorted().map { mutants[$0] } }

    /// The change to the clients for the run of the check.
    ///
    /// It only records the clients' calls.
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
