internal import Lockstep
internal import LockstepPrimitives

/// Changes of a user's sign-in methods.
extension AccountChange {
    static let link = AccountChange(
        id: "link", words: "the addition of an identity", claims: [.linking, .idToken], needs: [.issuer, .administrator],
        buildsOn: ["linking.add-and-remove", "linking.last-one-kept"]
    ) { change in
        let (world, what) = (change.world, change.what)
        let (issuer, subject) = (try world.issuer(), world.subject())
        let (step, hasFailed) = try await change.first(Link(credential: try await world.idToken(issuer, for: subject)))
        try await world.heal()
        world.expect(step?.session?.user.id == change.userID, "\(what) linking returned \(step?.kind ?? "nothing")")
        let identities = try await change.client.refreshUser().identities
        world.expect(
            identities.filter { $0.provider == issuer.provider }.count == 1,
            "\(what) the list does not contain the identity exactly once")
        let again = try await world.client().signIn(with: try await world.idToken(issuer, for: subject))
        world.expect(again.session?.user.id == change.userID, "\(what) the identity signs in another user")
        return hasFailed
    }

    static let unlink = AccountChange(
        id: "unlink", words: "the removal of an identity", claims: [.linking, .idToken], needs: [.issuer, .administrator],
        buildsOn: ["linking.add-and-remove", "linking.last-one-kept"]
    ) { change in
        let (world, client) = (change.world, change.client)
        let issuer = try world.issuer()
        _ = try await client.link(try await world.idToken(issuer, for: world.subject()))
        let identity = try world.require(
            try await client.refreshUser().identities.first { $0.provider == issuer.provider }, "the identity is not listed")
        let (_, hasFailed) = try await change.first(Unlink(identity: identity))
        try await world.heal()
        let left = try await client.refreshUser().identities
        world.expect(left.allSatisfy { $0.provider != issuer.provider }, "\(change.what) the list still contains the identity")
        try await world.enter(world.client(), change.person)
        return hasFailed
    }

    static let linkPage = AccountChange(
        id: "link-page", words: "the addition of an identity on a provider's page", claims: [.linking, .oauth],
        needs: [.identityPage, .administrator], buildsOn: ["linking.page.add-and-remove"]
    ) { change in
        let (world, client, what) = (change.world, change.client, change.what)
        let (provider, subject) = (try world.identityPage().provider, world.subject())
        guard client.linkMethods.contains(.oauth) else { throw NotApplicable("no provider's page adds a sign-in method") }
        let begun = try await change.first(Link(credential: OAuthCredential.oauth(provider)))
        guard case .redirect(let redirect)? = begun.value else { try world.end("\(what) linking opens no page") }
        let url = try await world.consent(to: redirect.url, as: subject)
        let returned = try await change.twice(refusals: Respond.refusalsIfDone, endings: []) { () async throws(AuthError) in
            switch await client.handle(url) {
            case .step(let step): return step
            case .refused(let error): throw error
            case .notOurs: throw AuthError(.linkInvalid, "The client treated the app's own link as another app's.")
            }
        }
        try await world.heal()
        var identities = try await client.refreshUser().identities
        if returned.value == nil, !identities.contains(where: { $0.provider == provider }) {
            _ = try await world.linkedIdentity(client, as: subject)
            identities = try await client.refreshUser().identities
        }
        world.expect(
            identities.filter { $0.provider == provider }.count == 1,
            "\(what) the list does not contain the identity exactly once")
        let again = try await world.enter(world.client(), onPageAs: subject)
        world.expect(again.session?.user.id == change.userID, "\(what) the identity signs in another user")
        return begun.hasFailed || returned.hasFailed
    }

    static let unlinkPage = AccountChange(
        id: "unlink-page", words: "the removal of an identity that was added on a provider's page", claims: [.linking, .oauth],
        needs: [.identityPage, .administrator], buildsOn: ["linking.page.add-and-remove"]
    ) { change in
        let (world, client) = (change.world, change.client)
        let identity = try await world.linkedIdentity(client, as: world.subject())
        let (_, hasFailed) = try await change.first(Unlink(identity: identity))
        try await world.heal()
        let left = try await client.refreshUser().identities
        world.expect(left.allSatisfy { $0.id != identity.id }, "\(change.what) the list still contains the identity")
        try await world.enter(world.client(), change.person)
        return hasFailed
    }

    static let renamePasskey = AccountChange(
        id: "rename-passkey", words: "the renaming of a passkey", claims: [.passkey, .passkeyManagement, .passkeyRenaming],
        needs: [.passkeys], buildsOn: ["account.passkeys.renamed"]
    ) { change in
        let (_, hasFailed) = try await change.first(RenamePasskey(passkey: try await change.addedPasskey(), newName: "My laptop"))
        try await change.world.heal()
        change.world.expect(
            try await change.client.passkeys().map(\.name) == ["My laptop"], "\(change.what) the passkey does not have the name")
        return hasFailed
    }

    static let removePasskey = AccountChange(
        id: "remove-passkey", words: "the removal of a passkey", claims: [.passkey, .passkeyManagement], needs: [.passkeys],
        buildsOn: ["account.passkeys.managed"]
    ) { change in
        let (world, what) = (change.world, change.what)
        let (_, hasFailed) = try await change.first(RemovePasskey(passkey: try await change.addedPasskey()))
        try await world.heal()
        world.expect(try await change.client.passkeys().isEmpty, "\(what) the list still contains the passkey")
        let sheet = try change.sheet()
        await world.refused(.invalidCredentials, of: "\(what) the removed passkey") { () async throws(AuthError) in
            try await world.enter(world.client(), byPasskeyOf: change.userID, sheet)
        }
        return hasFailed
    }
}

extension RepeatedCall {
    fileprivate func addedPasskey() async throws -> Passkey {
        try await world.addPasskey(client, of: userID, try sheet())
        return try world.require(try await client.passkeys().first, "the added passkey is not listed")
    }
}
