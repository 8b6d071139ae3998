import LockstepGoTrueEmulator
import LockstepMigration
import LockstepPrimitives

extension MigrateDemo {
    /// Signs in with the old passwords, and on the page of an identity provider.
    ///
    /// - Returns: The number of users that signed in.
    func signIns(_ servers: DemoServers) async throws -> Int {
        try say("6. sign in with the old passwords, through the adapter")
        var signedIn: Set<String> = []
        for user in OddUser.all {
            guard let email = user.email else {
                try terminal.print("        \(user.id.padded) has no address and no password")
                continue
            }
            let outcome = try await servers.signIn(email)
            let (expected, words) = Self.expected(user.expectation(writesRows: writesRows))
            if outcome == .session || expected == .asksForMore && words.hasSuffix(Self.factorWords) { signedIn.insert(user.id) }
            try check(expected == outcome, user.id.padded + words, "\(outcome)")
        }
        for number in 0..<Self.plainSignIns {
            let outcome = try await servers.signIn(DemoServers.plainEmail(number))
            if outcome == .session { signedIn.insert(DemoServers.plainID(number)) }
            try check(outcome == .session, DemoServers.plainID(number).padded + "signs in", "\(outcome)")
        }
        for user in OddUser.all where user.providers.contains(.google) {
            if try await signInWithGoogle(user, servers) { signedIn.insert(user.id) }
        }
        if try await takeOverByTheOwner(servers) { signedIn.insert("odd-unverified") }
        return signedIn.count
    }

    private static let factorWords = "is asked for the second factor"

    private static func expected(_ expectation: OddUser.Expectation) -> (DemoServers.SignIn, String) {
        switch expectation {
        case .signsIn: (.session, "signs in")
        case .verifiesFirst: (.asksForMore, "has to verify the address first, as planned")
        case .hasNoPassword: (.refused(.invalidCredentials), "exists, but the old password does not work, as planned")
        case .asksForFactor: (.asksForMore, factorWords)
        case .isDisabled: (.refused(.userDisabled), "is disabled, as before")
        case .isAbsent(let reason): (.refused(.invalidCredentials), "is absent, as planned: \(reason.sentence)")
        }
    }

    /// Signs a user in with Google.
    ///
    /// With SQL, the identity has moved, so the user is found although the address at Google has changed. With the API, only the
    /// address connects both.
    ///
    /// - Returns: Whether somebody is signed in.
    private func signInWithGoogle(_ user: OddUser, _ servers: DemoServers) async throws -> Bool {
        if case .isAbsent = user.expectation(writesRows: writesRows) { return false }
        let expected: String?
        if let rows = servers.rows {
            expected = try await rows.sql("SELECT user_id FROM auth.identities WHERE provider_id = 'google-\(user.id)'")
        } else {
            expected = try user.email.flatMap { try servers.target.emulator.admin.account(email: $0)?.id }
        }
        let email = writesRows ? "new-\(user.id)@example.com" : user.email
        let id = try await servers.signInWithGoogle(user, email: email)
        try check(
            id != nil && id == expected,
            user.id.padded + "signs in with Google as the same user" + (writesRows ? ", with another address" : ""),
            "\(id ?? "nobody")")
        return id != nil
    }

    /// Tests an account that somebody created with another person's address.
    ///
    /// The owner signs in with Google. After that, the old password no longer works.
    ///
    /// - Returns: Whether the owner is signed in.
    private func takeOverByTheOwner(_ servers: DemoServers) async throws -> Bool {
        guard let user = OddUser.all.first(where: { $0.expectation == .verifiesFirst }), let email = user.email else {
            return false
        }
        let id = try await servers.signInWithGoogle(user, email: email)
        let outcome = try await servers.signIn(email)
        try check(
            id != nil && outcome == .refused(.invalidCredentials),
            user.id.padded + "the owner signs in with Google; then the old password no longer works",
            "\(id ?? "nobody"), \(outcome)")
        return id != nil
    }
}
