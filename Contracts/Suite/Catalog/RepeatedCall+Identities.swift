internal import Lockstep
internal import LockstepPrimitives

/// Repeated calls that change a user's sign-in methods.
extension RepeatedCall {
    func link(_ client: any PortableClient, _ userID: String) async throws -> Bool {
        let (issuer, subject) = (try world.issuer(), world.subject())
        let credential = try await world.idToken(issuer, for: subject)
        try await begin()
        let (step, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.link(credential)
        }
        try await world.heal()
        world.expect(step?.session?.user.id == userID, "\(what) linking returned \(step?.kind ?? "nothing")")
        let identities = try await client.refreshUser().identities
        world.expect(
            identities.filter { $0.provider == issuer.provider }.count == 1,
            "\(what) the list does not contain the identity exactly once")
        let again = try await world.client().signIn(with: try await world.idToken(issuer, for: subject))
        world.expect(again.session?.user.id == userID, "\(what) the identity signs in another user")
        return hasFailed
    }

    func unlink(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        let (issuer, subject) = (try world.issuer(), world.subject())
        _ = try await client.link(try await world.idToken(issuer, for: subject))
        let identity = try world.require(
            try await client.refreshUser().identities.first { $0.provider == issuer.provider }, "the identity is not listed")
        try await begin()
        let (_, hasFailed) = try await twice(refusals: [.invalidInput, .lastIdentity]) { () async throws(AuthError) in
            try await client.unlink(identity)
        }
        try await world.heal()
        let left = try await client.refreshUser().identities
        world.expect(left.allSatisfy { $0.provider != issuer.provider }, "\(what) the list still contains the identity")
        try await world.enter(world.client(), person)
        return hasFailed
    }

    func renamePasskey(_ client: any PortableClient, _ userID: String) async throws -> Bool {
        let passkey = try await passkey(client, userID)
        try await begin()
        let (_, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.renamePasskey(passkey, to: "My laptop")
        }
        try await world.heal()
        world.expect(try await client.passkeys().map(\.name) == ["My laptop"], "\(what) the passkey does not have the name")
        return hasFailed
    }

    func removePasskey(_ client: any PortableClient, _ userID: String) async throws -> Bool {
        let passkey = try await passkey(client, userID)
        try await begin()
        let (_, hasFailed) = try await twice(refusals: [.invalidInput]) { () async throws(AuthError) in
            try await client.removePasskey(passkey)
        }
        try await world.heal()
        world.expect(try await client.passkeys().isEmpty, "\(what) the list still contains the passkey")
        let sheet = try sheet()
        await world.refused(.invalidCredentials, of: "\(what) the removed passkey") { () async throws(AuthError) in
            try await world.enter(world.client(), byPasskeyOf: userID, sheet)
        }
        return hasFailed
    }

    private func sheet() throws -> any PasskeySheet {
        try world.need(world.environment.passkeys, "the harness cannot create passkeys")
    }

    /// Adds a passkey, and returns it.
    private func passkey(_ client: any PortableClient, _ userID: String) async throws -> Passkey {
        try await world.addPasskey(client, of: userID, try sheet())
        return try world.require(try await client.passkeys().first, "the added passkey is not listed")
    }
}
