internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// The passkeys of a user, who names and removes them one by one.
    static let passkeys: [Contract] = [
        Contract(
            "account.passkeys.managed",
            "A passkey that a user has added is listed and bears the name that it is given; removed, it is listed no more and signs in no more.",
            appliesTo: .claiming([.passkeyManagement, .passkey, .password]), needs: [.passkeys, .adminAPI, .clock],
            buildsOn: ["sign-in.passkey.completes"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "no passkeys can be made")
            let (client, userID) = try await w.memberWithPasskey(sheet)
            let added = try w.require(try await client.passkeys().first, "the added passkey is not listed")
            w.expect(try await client.passkeys().count == 1, "there are other passkeys than the added one")
            await w.refused(.invalidInput, of: "an empty name") { () async throws(AuthError) in
                try await client.renamePasskey(added, to: "  ")
            }
            let name = "Büro & \"Laptop\""
            try await client.renamePasskey(added, to: name)
            w.expect(try await client.passkeys().map(\.name) == [name], "the passkey has not got the name that it was given")

            try await w.advance(by: .seconds(5))
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the renamed passkey")
            let used = try await client.passkeys().first?.lastUsedAt
            w.expect(used != nil && used != added.lastUsedAt, "the passkey that has signed in says that it never did")

            try await client.removePasskey(added)
            w.expect(try await client.passkeys().isEmpty, "a removed passkey is listed")
            w.expect(client.state.session?.user.id == userID, "after the removal the state is \(client.state.kind)")
            let late = w.client()
            await w.refused(.invalidCredentials, of: "a removed passkey") { () async throws(AuthError) in
                try await w.enter(late, byPasskeyOf: userID, sheet)
            }
            await w.expectSignedOut(late, "after a removed passkey")
        },

        Contract(
            "account.passkeys.own-only",
            "Another user's passkey can be neither renamed nor removed: both calls are refused, and it still signs its owner in.",
            appliesTo: .claiming([.passkeyManagement, .passkey, .password]), needs: [.passkeys, .adminAPI],
            buildsOn: ["account.passkeys.managed"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "no passkeys can be made")
            let (owner, userID) = try await w.memberWithPasskey(sheet)
            let foreign = try w.require(try await owner.passkeys().first, "the added passkey is not listed")
            let client = try await w.signedIn().0
            await w.refused(.invalidInput, of: "renaming another user's passkey") { () async throws(AuthError) in
                try await client.renamePasskey(foreign, to: "Mine")
            }
            await w.refused(.invalidInput, of: "removing another user's passkey") { () async throws(AuthError) in
                try await client.removePasskey(foreign)
            }
            w.expect(try await client.passkeys().isEmpty, "another user's passkey is listed")
            w.expect(try await owner.passkeys().map(\.id) == [foreign.id], "the owner's passkey is another one")
            w.expect(try await owner.passkeys().first?.name == foreign.name, "the owner's passkey has another name")
            let other = w.client()
            let end = try await w.enter(other, byPasskeyOf: userID, sheet)
            try await w.expectGenuine(end, of: userID, other, "the owner's passkey")
        },
    ]
}

extension World {
    /// A member who is signed in, and has added a passkey.
    fileprivate func memberWithPasskey(_ sheet: any PasskeySheet, line: Int = #line) async throws -> (any PortableClient, String)
    {
        let person = try await member()
        let userID = try await userID(of: person, line: line)
        let client = client()
        try await enter(client, person, line: line)
        try await addPasskey(client, of: userID, sheet, line: line)
        return (client, userID)
    }

    /// Adds a passkey to the user of a client.
    func addPasskey(_ client: any PortableClient, of userID: String, _ sheet: any PasskeySheet, line: Int = #line) async throws {
        let challenge = try require(try await client.link(.passkey).challenge, "no passkey can be added", line: line)
        let made = try await sheet.create(challenge.passkeyOptions ?? .null, of: userID)
        _ = try await client.respond(to: challenge.flow, with: .passkey(made))
    }

    /// Signs in by the passkey of a user.
    func enter(_ client: any PortableClient, byPasskeyOf userID: String, _ sheet: any PasskeySheet) async throws(AuthError)
        -> SignInStep
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
