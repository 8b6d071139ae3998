@_exported public import Lockstep
@_exported public import LockstepContracts

/// A fault that breaks one contract, so that a test shows whether its check finds the fault.
///
/// It breaks no other contract, except those that build on this one, and those in ``alsoBreaks``.
public struct Mutant: Sendable, CustomStringConvertible {
    /// The id of the contract that the fault breaks.
    public let breaks: Contract.ID
    /// A short description of the fault.
    public let summary: String
    /// The change to the client, the adapter or the store that causes the fault.
    public let mutation: Mutation
    /// The conditions under which the fault makes a difference; always if there are none.
    public let matters: [Condition]
    /// The capabilities that an adapter must have so that the fault makes a difference; often none.
    public let claims: Set<Capability>
    /// Other contracts that the fault breaks.
    ///
    /// These contracts check the same calls, or say the same in other words.
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

    /// Returns whether the fault makes a difference on a backend with this behavior and for an adapter with these capabilities.
    ///
    /// - Parameters:
    ///   - behavior: The behavior of the backend.
    ///   - capabilities: The capabilities of the adapter.
    /// - Returns: Whether it makes a difference.
    public func matters(on behavior: ProviderBehavior, claiming capabilities: Set<Capability>) -> Bool {
        matters.allSatisfy { $0.holds(for: behavior) } && claims.isSubset(of: capabilities)
    }

    /// The id of the contract, and the description of the fault.
    public var description: String { "\(breaks): \(summary)" }
}

/// The faults that tests use to show that the checks of contracts find faults.
///
/// They are grouped like the contracts.
public enum Mutants {
    /// All faults.
    ///
    /// There is at least one for every contract of the catalog.
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
