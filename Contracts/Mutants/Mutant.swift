@_exported public import Lockstep
@_exported public import LockstepContracts

/// A fake that breaks one contract, and no others except those that build on it or are listed with it.
public struct Mutant: Sendable, CustomStringConvertible {
    /// The contract that it breaks.
    public let breaks: Contract.ID
    /// A short description.
    public let summary: String
    /// The fakes.
    public let mutation: Mutation
    /// The conditions under which it makes a difference; always if empty.
    public let matters: [Condition]
    /// The capabilities of adapters on which it makes a difference; any adapter if empty.
    public let claims: Set<Capability>
    /// Other contracts that it breaks, because they cover more calls, or state the same from another side.
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

    /// The same mutant, which is known to break these contracts, too.
    func also(_ promises: Contract.ID...) -> Mutant { also(promises) }

    /// The same mutant, which is known to break these contracts, too.
    func also(_ promises: [Contract.ID]) -> Mutant {
        var mutant = self
        mutant.alsoBreaks = Set(promises)
        return mutant
    }

    /// Whether it makes a difference on a backend with this behavior, for an adapter with these capabilities.
    public func matters(on behavior: ProviderBehavior, claiming capabilities: Set<Capability>) -> Bool {
        matters.allSatisfy { $0.holds(for: behavior) } && claims.isSubset(of: capabilities)
    }

    /// The contract and the mutant's description.
    public var description: String { "\(breaks): \(summary)" }
}

/// All mutants, by the theme of their contracts.
public enum Mutants {
    /// All mutants; there is at least one for every contract of the catalog.
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
