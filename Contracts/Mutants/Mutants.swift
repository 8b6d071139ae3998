@_exported public import Lockstep
@_exported public import LockstepContracts

extension Mutant<World> {
    init(_ breaks: String, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [], _ mutation: Mutation) {
        var limited = mutation
        (limited.matters, limited.claims) = (matters, claims)
        self.init(breaks, summary, limited)
    }

    /// Creates a mutant that replaces the client.
    static func client(
        _ breaks: String, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [],
        _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Mutant<World> {
        Mutant(
            breaks, summary, matters: matters, claims: claims,
            Mutation(client: { client, context in
                var faulty = FaultyClient(client)
                build(&faulty, context)
                return faulty
            }))
    }

    /// Whether the fault has an effect for the given behavior and capabilities.
    public func matters(on behavior: ProviderBehavior, claiming capabilities: Set<Capability>) -> Bool {
        mutation.matters.allSatisfy { $0.holds(for: behavior) } && mutation.claims.isSubset(of: capabilities)
    }
}

/// Faults that show whether the checks of contracts work.
///
/// A test expects that each fault breaks its contract.
///
/// The faults are grouped in the same way as the contracts.
public enum Mutants {
    /// All faults.
    ///
    /// There is at least one fault for every contract in the catalog.
    public static let all: [Mutant<World>] = themes.flatMap(\.self)

    private static let themes: [[Mutant<World>]] = [
        signUp, addresses, exactAddresses, verification, messages, signIn, federated, guests, account, accountSafety,
        accountChanges, deletion,
        accountFaults, session, sessionOrigin, refresh,
        refreshFaults, signInFaults, owner, calls, replaced, quietReload, endings, signOut, foreign, tokens, callbacks, links,
        errors,
        capabilities, pages, keeping, configuration,
        ways,
        steps, factors, passkeys, organizations, captcha,
        everyWay, linking, linkedWays, takenNumbers, identities, strangers, dueProof, offers, proofs, flows, passwords,
        resetRules, alike, everywhere,
        always,
    ]
}
