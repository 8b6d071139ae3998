@_exported public import Lockstep
@_exported public import LockstepContracts

/// A fault that breaks one contract.
///
/// A test uses the fault to show that the check of the contract finds it.
public struct Mutant: Sendable, CustomStringConvertible {
    /// The id of the contract that the fault breaks.
    public let breaks: Contract.ID
    /// A short description of the fault.
    public let summary: String
    /// The change that causes the fault, in the client, the adapter or the store.
    public let mutation: Mutation
    /// The conditions under which the fault has an effect; empty if it always has an effect.
    public let matters: [Condition]
    /// The capabilities that an adapter needs so that the fault has an effect; often empty.
    public let claims: Set<Capability>
    init(
        _ breaks: Contract.ID, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [], _ mutation: Mutation
    ) {
        self.breaks = breaks
        self.summary = summary
        self.matters = matters
        self.claims = claims
        self.mutation = mutation
    }

    /// Creates a mutant that replaces the client.
    static func client(
        _ breaks: String, _ summary: String, matters: [Condition] = [], claims: Set<Capability> = [],
        _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Mutant {
        Mutant(
            breaks, summary, matters: matters, claims: claims,
            Mutation(client: { client, context in
                var faulty = FaultyClient(client)
                build(&faulty, context)
                return faulty
            }))
    }

    /// Returns whether the fault has an effect for the given behavior and capabilities.
    ///
    /// - Parameters:
    ///   - behavior: The behavior of the backend.
    ///   - capabilities: The capabilities of the adapter.
    /// - Returns: Whether the fault has an effect.
    public func matters(on behavior: ProviderBehavior, claiming capabilities: Set<Capability>) -> Bool {
        matters.allSatisfy { $0.holds(for: behavior) } && claims.isSubset(of: capabilities)
    }

    /// The id of the contract, and the description of the fault.
    public var description: String { "\(breaks): \(summary)" }
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
