import LockstepMigration
import LockstepPrimitives

extension MigrateDemo {
    /// Signs in with the old passwords, and on the page of an identity provider.
    ///
    /// - Returns: The number of users that signed in.
    func signIns(_ servers: DemoServers) async throws -> Int {
        try say("6. sign in with the old passwords, through the adapter")
        var signedIn: Set<String> = []
        for user in oddUsers {
            guard let email = user.email else {
                try terminal.print("        \(user.id.padded) has no address and no password")
                continue
            }
            let outcome = try await servers.signIn(email)
            let (expected, words) = Self.expected(user.expectation(hasRows: hasRows))
            if outcome == .session || servers.target.countsFirstFactors && words == Self.factorWords { signedIn.insert(user.id) }
            try check(expected.contains(outcome), user.id.padded + words, "\(outcome)")
        }
        for number in 0..<Self.plainSignIns {
            let outcome = try await servers.signIn(DemoServers.plainEmail(number))
            let name = DemoServers.plainName(number)
            if outcome == .session { signedIn.insert(name) }
            try check(outcome == expectedOfPlain(servers), name.padded + words(ofPlain: outcome), "\(outcome)")
        }
        for user in oddUsers where user.providers.contains(.google) {
            if try await signInWithGoogle(user, servers) { signedIn.insert(user.id) }
        }
        if try await takeOverByTheOwner(servers) { signedIn.insert("odd-unverified") }
        return signedIn.count
    }

    /// The expected result of a sign-in with a password from the source.
    func expectedOfPlain(_ servers: DemoServers) -> DemoServers.SignIn {
        servers.source.showsHashes ? .session : .refused(.invalidCredentials)
    }

    func words(ofPlain outcome: DemoServers.SignIn) -> String {
        outcome == .session ? "signs in" : "exists, but the old password does not work, as planned"
    }

    private static let factorWords = "is asked for the second factor"

    private static func expected(_ expectation: OddUser.Expectation) -> ([DemoServers.SignIn], String) {
        switch expectation {
        case .signsIn: ([.session], "signs in")
        case .verifiesFirst: ([.asksForMore], "has to verify the address first, as planned")
        case .hasNoPassword: ([.refused(.invalidCredentials)], "exists, but the old password does not work, as planned")
        case .asksForFactor: ([.asksForMore], factorWords)
        case .isDisabled: ([.refused(.userDisabled)], "is disabled, as before")
        // A backend may tell that nobody has the address, or that nobody can have it.
        case .isAbsent(let reason):
            (
                [.invalidCredentials, .userNotFound, .invalidEmail].map { .refused($0) },
                "is absent, as planned: \(reason.sentence)"
            )
        }
    }

    /// Signs a user in with Google.
    ///
    /// If the identity has moved, the user is found although the address at Google has changed. With APIs only, the address connects
    /// both.
    ///
    /// - Returns: Whether somebody is signed in.
    private func signInWithGoogle(_ user: OddUser, _ servers: DemoServers) async throws -> Bool {
        if case .isAbsent = user.expectation(hasRows: hasRows) { return false }
        let expected = try await servers.target.googleUser(user)
        let isMoved = hasRows && servers.target.keepsIdentities
        let email = isMoved ? "new-\(user.id)@example.com" : user.email
        let id = try await servers.signInWithGoogle(user, email: email)
        try check(
            id != nil && id == expected,
            user.id.padded + "signs in with Google as the same user" + (isMoved ? ", with another address" : ""),
            "\(id ?? "nobody")")
        return id != nil
    }

    /// Tests an account that somebody created with another person's address.
    ///
    /// The owner signs in with Google. After that, the old password no longer works.
    ///
    /// - Returns: Whether the owner is signed in.
    private func takeOverByTheOwner(_ servers: DemoServers) async throws -> Bool {
        guard let user = oddUsers.first(where: { $0.email != nil && !$0.isEmailVerified }), let email = user.email else {
            return false
        }
        let former = try await servers.target.googleUser(user)
        let id = try await servers.signInWithGoogle(user, email: email)
        guard servers.target.givesAccountsToOwners else {
            try check(
                id == nil || id != former,
                user.id.padded + "the owner's sign-in with Google does not open the account of the stranger", "\(id ?? "nobody")")
            return false
        }
        let outcome = try await servers.signIn(email)
        try check(
            id != nil && outcome == .refused(.invalidCredentials),
            user.id.padded + "the owner signs in with Google; then the old password no longer works",
            "\(id ?? "nobody"), \(outcome)")
        return id != nil
    }
}
