@_exported public import Lockstep
@_exported public import LockstepContracts

/// A fake that breaks one promise, and no other that does not build on it or is named beside it.
public struct Mutant: Sendable, CustomStringConvertible {
    /// The promise that it breaks.
    public let breaks: Contract.ID
    /// What it does, in a few words.
    public let summary: String
    /// The fakes.
    public let mutation: Mutation
    /// Where it makes a difference; everywhere without a condition.
    public let matters: [Condition]
    /// What an adapter claims that it makes a difference on; any adapter where the set is empty.
    public let claims: Set<Capability>
    /// Promises that it breaks as well, because they say of more calls what its own says of one, or the same from another side.
    public private(set) var alsoBreaks: Set<Contract.ID> = []
    /// Whether it only replaces a client, as a ``FaultyClient``.
    private(set) var isOfClients = false

    init(
        _ breaks: Contract.ID, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [], _ mutation: Mutation
    ) {
        self.breaks = breaks
        self.summary = summary
        self.matters = matters
        self.claims = claims
        self.mutation = mutation
    }

    /// A mutant that replaces the client.
    static func client(
        _ breaks: String, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [],
        _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Mutant {
        var mutant = Mutant(
            breaks, summary, matters: matters, claims: claims,
            Mutation(client: { client, context in
                var faulty = FaultyClient(client)
                build(&faulty, context)
                return faulty
            }))
        mutant.isOfClients = true
        return mutant
    }

    /// The same mutant, which is known to break these promises, too.
    func also(_ promises: Contract.ID...) -> Mutant { also(promises) }

    /// The same mutant, which is known to break these promises, too.
    func also(_ promises: [Contract.ID]) -> Mutant {
        var mutant = self
        mutant.alsoBreaks = Set(promises)
        return mutant
    }

    /// Whether it makes a difference on a backend with this provider behavior, by an adapter that claims these capabilities.
    public func matters(on behavior: ProviderBehavior, claiming capabilities: Set<Capability>) -> Bool {
        matters.allSatisfy { $0.holds(for: behavior) } && claims.isSubset(of: capabilities)
    }

    /// The promise, and what the mutant does.
    public var description: String { "\(breaks): \(summary)" }
}

/// Every mutant, by the theme of its promise.
public enum Mutants {
    /// All of them; there is at least one for every promise of the catalogue.
    public static let all: [Mutant] = themes.flatMap(\.self)

    private static let themes: [[Mutant]] = [
        signUp, addresses, verification, messages, signIn, federated, guests, account, accountSafety, accountChanges,
        accountFaults, session, sessionOrigin, refresh,
        refreshFaults, owner, calls, replaced, quietReload, endings, signOut, foreign, tokens, callbacks, links, errors,
        capabilities, keeping, configuration,
        ways,
        steps, factors, passkeys, organizations, captcha,
        everyWay, linking, takenNumbers, identities, dueProof, offers, proofs, flows, passwords, resetRules, alike, everywhere,
        always,
    ]
}
