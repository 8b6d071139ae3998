/// All contracts of clients and adapters, grouped by theme.
public enum Catalog {
    /// All contracts, in the order in which reports list them.
    public static let all: [Contract<World>] = themes.flatMap(\.self)

    private static let themes: [[Contract<World>]] = [
        signUp, addresses, exactAddresses, verification, messages, signIn, federated, guests, account, accountSafety,
        accountChanges, deletion,
        accountFaults, addressChange,
        passwordReset, session, sessionOrigin, refresh, refreshRaces, owner, calls, replaced, quietReload, deadlines, everyCall,
        endings, signOut,
        refreshFaults, signInFaults,
        storage, faults,
        foreign, tokens, callbacks, links, killedRequests, errors, capabilities, privacy, pages, keeping, configuration, ways,
        steps, factors, passkeys, organizations,
        captcha,
        everyWay,
        assurance,
        linking, linkedWays, takenNumbers, identities, strangers, disabled, dueProof, offers,
        proofs, flows,
        passwords, resetRules, alike, everywhere, always,
    ]

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the contract with the given id, or `nil` if no contract has this id.
    ///
    /// - Returns: The contract, or `nil`.
    public static subscript(id: String) -> Contract<World>? { byID[id] }
}
