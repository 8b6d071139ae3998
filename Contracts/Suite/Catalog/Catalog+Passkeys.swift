internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the passkeys of a user, who can remove single passkeys and, on some backends, rename them.
    static let passkeys: [Contract<World>] = [
        Contract(
            "account.passkeys.managed",
            "A passkey that a user has added is listed. After its removal, it is no longer listed and no longer signs in. Another passkey "
                + "of the user is unaffected.",
            appliesTo: .claiming([.passkeyManagement, .passkey, .password]), needs: [.passkeys, .administrator],
            buildsOn: ["sign-in.passkey.completes"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot create passkeys")
            let (client, userID) = try await w.memberWithPasskey(sheet)
            let added = try w.require(try await client.passkeys().first, "the added passkey is not listed")
            w.expect(try await client.passkeys().count == 1, "the list contains other passkeys than the added one")
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the listed passkey")

            // The sheet has a passkey for each id.
            try await w.addPasskey(client, of: userID + "-second", sheet)
            let second = try await client.passkeys().filter { $0.id != added.id }
            w.expect(second.count == 1, "besides the first passkey, the list has \(second.count)")
            if let second = second.first { try await client.removePasskey(second) }
            w.expect(
                try await client.passkeys().map(\.id) == [added.id], "after the removal of one passkey, the list lacks the other")
            let remaining = w.client()
            try await w.expectGenuine(
                try await w.enter(remaining, byPasskeyOf: userID, sheet), of: userID, remaining, "the other passkey")

            try await client.removePasskey(added)
            w.expect(try await client.passkeys().isEmpty, "the list contains a removed passkey")
            w.expect(client.state.session?.user.id == userID, "after the removal the state is \(client.state.kind)")
            let late = w.client()
            await w.refused(.invalidCredentials, of: "a removed passkey") { () async throws(AuthError) in
                try await w.enter(late, byPasskeyOf: userID, sheet)
            }
            await w.expectSignedOut(late, "after a removed passkey")
        },

        Contract(
            "account.passkeys.use",
            "A passkey reports its last sign-in by the backend's clock, or passkeys never report it, as declared.",
            appliesTo: .claiming([.passkeyManagement, .passkey, .password]), needs: [.passkeys, .administrator, .clock],
            buildsOn: ["account.passkeys.managed"], declares: Declaration("passkeyUse")
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot create passkeys")
            let (client, userID) = try await w.memberWithPasskey(sheet)
            let unused = try w.require(try await client.passkeys().first, "the added passkey is not listed").lastUsedAt
            try await w.advance(by: .seconds(5))
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the passkey")
            let used = try await client.passkeys().first?.lastUsedAt
            switch w.behavior.passkeyUse {
            case .told:
                w.expect(used != nil && used != unused, "the passkey does not report its last sign-in")
            case .untold:
                w.expect(used == nil && unused == nil, "a passkey reports its last sign-in")
            }
        },

        Contract(
            "account.passkeys.renamed",
            "A passkey has the name that its user sets, and still signs in. An empty name and a name for another user's "
                + "passkey are rejected.",
            appliesTo: .claiming([.passkeyManagement, .passkeyRenaming, .passkey, .password]),
            needs: [.passkeys, .administrator],
            buildsOn: ["account.passkeys.managed"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot create passkeys")
            let (client, userID) = try await w.memberWithPasskey(sheet)
            let added = try w.require(try await client.passkeys().first, "the added passkey is not listed")
            await w.refused(.invalidInput, of: "an empty name") { () async throws(AuthError) in
                try await client.renamePasskey(added, to: "  ")
            }
            let name = "Büro & \"Laptop\""
            try await client.renamePasskey(added, to: name)
            w.expect(try await client.passkeys().map(\.name) == [name], "the passkey does not have the name that the user set")
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the renamed passkey")

            let stranger = try await w.signedIn().0
            await w.refused(.invalidInput, of: "renaming another user's passkey") { () async throws(AuthError) in
                try await stranger.renamePasskey(added, to: "Mine")
            }
            w.expect(try await client.passkeys().map(\.name) == [name], "the owner's passkey has a different name")
        },

        Contract(
            "account.passkeys.own-only",
            "Removing another user's passkey is rejected, and the passkey still signs its owner in.",
            appliesTo: .claiming([.passkeyManagement, .passkey, .password]), needs: [.passkeys, .administrator],
            buildsOn: ["account.passkeys.managed"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot create passkeys")
            let (owner, userID) = try await w.memberWithPasskey(sheet)
            let foreign = try w.require(try await owner.passkeys().first, "the added passkey is not listed")
            let client = try await w.signedIn().0
            await w.refused(.invalidInput, of: "removing another user's passkey") { () async throws(AuthError) in
                try await client.removePasskey(foreign)
            }
            w.expect(try await client.passkeys().isEmpty, "the list contains another user's passkey")
            w.expect(try await owner.passkeys().map(\.id) == [foreign.id], "the owner's passkey is different")
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the owner's passkey")
        },
    ]
}

extension World {
    /// Returns the client and user id of a signed-in member who has added a passkey.
    fileprivate func memberWithPasskey(_ sheet: any PasskeySheet, line: Int = #line) async throws -> (any PortableClient, String)
    {
        let person = try await member()
        let userID = try await userID(of: person, line: line)
        let client = client()
        try await enter(client, person, line: line)
        try await addPasskey(client, of: userID, sheet, line: line)
        return (client, userID)
    }

    /// Adds a passkey to the client's user.
    func addPasskey(_ client: any PortableClient, of userID: String, _ sheet: any PasskeySheet, line: Int = #line) async throws {
        let challenge = try require(try await client.link(.passkey).challenge, "the harness cannot add a passkey", line: line)
        let made = try await sheet.create(challenge.passkeyOptions ?? .null, of: userID)
        _ = try await client.respond(to: challenge.flow, with: .passkey(made))
    }

    /// Signs in with the user's passkey.
    func enter(_ client: any PortableClient, byPasskeyOf userID: String, _ sheet: any PasskeySheet) async throws(AuthError)
        -> AuthStep
    {
        guard let challenge = try await client.signIn(with: .passkey).challenge else {
            throw AuthError(.unknown, "A sign-in by passkey has no challenge.")
        }
        guard let signed = try? await sheet.sign(challenge.passkeyOptions ?? .null, as: userID) else {
            throw AuthError(.unknown, "The sheet signs nothing.")
        }
        return try await client.respond(to: challenge.flow, with: .passkey(signed))
    }
}
