internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// What a user has beside the profile: backup codes, a list of passkeys, organizations, an uploaded photo.
    static let belongings: [Contract] = [
        Contract(
            "account.factor.backup-codes",
            "New backup codes stand in for the second factor, each once, and the former ones do so no more; a user without a second factor "
                + "gets none.",
            appliesTo: .claiming([.backupCodeRenewal, .backupCode, .factorEnrolment, .password]),
            needs: [.authenticators, .adminAPI, .mailbox, .clock],
            buildsOn: ["account.factor.enrol-and-remove", "sign-in.second-factor.backup-once"]
        ) { w in
            let apps = try w.need(w.environment.authenticators, "no authenticator app can be read")
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let client = w.client()
            try await w.enter(client, person)
            await w.refused(.secondFactorRequired, of: "backup codes without a second factor") { () async throws(AuthError) in
                try await client.renewBackupCodes()
            }
            let enrolment = try await client.addFactor(NewFactor(.authenticatorApp))
            let key = try w.require(enrolment.key, "the enrolment has no key for the app")
            _ = try await client.respond(to: enrolment.challenge.flow, with: .code(try await apps.code(for: key)))

            let former = try await client.renewBackupCodes()
            let codes = try await client.renewBackupCodes()
            w.expect(codes.count > 1 && Set(codes).count == codes.count, "there are \(codes.count) codes, or some are the same")
            w.expect(Set(codes).isDisjoint(with: former), "a new code is a former one")
            w.expect(try await client.factors().map(\.kind) == [.authenticatorApp], "backup codes are listed as a factor")
            _ = try w.require(codes.dropFirst().first, "there are no two codes")

            let other = w.client()
            let flow = try await w.choose(other, .backupCode, of: try await w.secondFactor(other, of: person))
            await w.refused(.invalidCode, .codeUsed, of: "a former backup code") {
                [code = former[0]] () async throws(AuthError) in
                try await other.respond(to: flow, with: .code(code))
            }
            await w.expectSignedOut(other, "after a former backup code")
            let end = try await other.respond(to: flow, with: .code(codes[0]))
            try await w.expectGenuine(end, of: userID, other, "the new backup code")
            let again = w.client()
            let second = try await w.choose(again, .backupCode, of: try await w.secondFactor(again, of: person))
            await w.refused(.invalidCode, .codeUsed, of: "the used backup code") { () async throws(AuthError) in
                try await again.respond(to: second, with: .code(codes[0]))
            }
            let last = try await again.respond(to: second, with: .code(codes[1]))
            try await w.expectGenuine(last, of: userID, again, "the second backup code")
        },

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

        Contract(
            "account.organizations.active",
            "A user's organizations are listed; the one that is made active is so in the session and its token, over a refresh, a reload and a "
                + "relaunch, and in no other session, until the user leaves it.",
            appliesTo: .claiming([.organizations, .password]), needs: [.adminAPI, .mailbox, .clock],
            buildsOn: entering + ["session.restore.same-user"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let names = ["Analytical Engines", "Büro & \"Söhne\""]
            var ids: [String] = []
            for name in names { ids.append(try await w.adminAPI().createOrganization(named: name, members: [userID])) }
            _ = try await w.adminAPI().createOrganization(named: "Others", members: [])
            let (device, elsewhere) = (w.device(), w.client())
            let client = device.launch()
            let session = try await w.enter(client, person)
            try await w.enter(elsewhere, person)
            w.expect(session.organizationID == nil, "after the sign-in an organization is active")
            let listed = try await client.organizations()
            w.expect(Set(listed.map(\.id)) == Set(ids), "the user's organizations are \(listed.map(\.name))")
            w.expect(listed.map(\.name).sorted() == names.sorted(), "the names are \(listed.map(\.name))")
            w.expect(listed.allSatisfy { $0.role?.isEmpty == false }, "the roles are \(listed.map(\.role))")

            func expectActive(_ id: String?, _ client: any PortableClient, _ when: String, line: Int = #line) async throws {
                let now = client.state.session
                w.expect(now?.organizationID == id, "\(when) the organization is \(now?.organizationID ?? "none")", line: line)
                w.expect(now?.user.id == userID, "\(when) the state is \(client.state.kind)", line: line)
                let token = try await client.accessToken()
                w.expect(try await w.adminAPI().accepts(accessToken: token), "\(when) the token is not taken", line: line)
            }
            for id in ids {
                let organization = try w.require(listed.first { $0.id == id }, "an organization is not listed")
                let before = client.state.session?.accessToken
                try await client.activate(organization)
                w.expect(client.state.session?.accessToken != before, "the switch gives no new token")
                try await expectActive(id, client, "after the switch")
            }
            let last = try w.require(ids.last, "there is no organization")
            try await w.outliveToken(of: session)
            _ = try await client.accessToken()
            try await expectActive(last, client, "after a refresh")
            _ = try await client.refreshUser()
            try await expectActive(last, client, "after a reload")
            let relaunched = device.launch()
            await relaunched.restore()
            try await expectActive(last, relaunched, "after a relaunch")
            try await w.outliveToken(of: session)
            _ = try await relaunched.accessToken()
            try await expectActive(last, relaunched, "after a relaunch and a refresh")
            _ = try await elsewhere.accessToken()
            try await expectActive(nil, elsewhere, "in the other session")

            try await relaunched.activate(nil)
            try await expectActive(nil, relaunched, "after leaving it")
            try await w.outliveToken(of: session)
            _ = try await relaunched.accessToken()
            try await expectActive(nil, relaunched, "after leaving it and a refresh")
        },

        Contract(
            "account.organizations.members-only",
            "An organization that a user is no member of cannot be made active: the call is refused, and the active one stays.",
            appliesTo: .claiming([.organizations, .password]), needs: [.adminAPI, .mailbox, .clock],
            buildsOn: ["account.organizations.active"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let own = try await w.adminAPI().createOrganization(named: "Own", members: [userID])
            let other = try await w.userID(of: try await w.member())
            let foreign = try await w.adminAPI().createOrganization(named: "Foreign", members: [other])
            let client = w.client()
            let session = try await w.enter(client, person)
            let organization = try w.require(try await client.organizations().first, "the own organization is not listed")
            try await client.activate(organization)
            for id in [foreign, "none"] {
                await w.refused(.invalidInput, of: "another's organization") { () async throws(AuthError) in
                    try await client.activate(Organization(id: id, name: "Foreign"))
                }
                w.expect(client.state.session?.organizationID == own, "after the refusal another organization is active")
            }
            try await w.outliveToken(of: session)
            _ = try await client.accessToken()
            w.expect(
                client.state.session?.organizationID == own, "after the refusal and a refresh another organization is active")
        },

        Contract(
            "account.photo.upload",
            "A photo that is uploaded is the user's, at an address of its own, for every session; removed, there is none; what is no photo is "
                + "refused before a request.",
            appliesTo: .claiming([.photoUpload, .password]), needs: [.trace, .mailbox], buildsOn: entering
        ) { w in
            let person = try await w.member()
            let (client, elsewhere) = (w.client(), w.client())
            try await w.enter(client, person)
            try await w.enter(elsewhere, person)
            w.expect(client.state.session?.user.photoURL == nil, "there is a photo before one is uploaded")
            try await w.expectRequests(0...0, "what is no photo") {
                for photo in [Photo([], type: "image/png"), Photo([1, 2, 3], type: "text/plain"), Photo([1], type: "image")] {
                    await w.refused(.invalidInput, of: "what is no photo") { () async throws(AuthError) in
                        try await client.setPhoto(photo)
                    }
                }
            }
            let user = try await client.setPhoto(.pixel)
            w.expect(user.photoURL?.isEmpty == false, "after the upload the user has no photo")
            w.expect(client.state.session?.user.photoURL == user.photoURL, "after the upload the state has another photo")
            w.expect(try await elsewhere.refreshUser().photoURL == user.photoURL, "another session has another photo")
            var second = Photo.pixel
            // Another picture: bytes after the end of a PNG are no part of it.
            second.bytes.append(0)
            let changed = try await client.setPhoto(second)
            w.expect(changed.photoURL != user.photoURL, "another photo has the address of the first")
            w.expect(changed.id == user.id, "after the upload the user is another")
            w.expect(try await client.setPhoto(nil).photoURL == nil, "a removed photo is there")
            w.expect(try await client.refreshUser().photoURL == nil, "after a reload a removed photo is there")
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
        let challenge = try require(try await client.link(.passkey).challenge, "no passkey can be added", line: line)
        let made = try await sheet.create(challenge.passkeyOptions ?? .null, of: userID)
        _ = try await client.respond(to: challenge.flow, with: .passkey(made))
        return (client, userID)
    }

    /// Signs in by the passkey of a user.
    fileprivate func enter(_ client: any PortableClient, byPasskeyOf userID: String, _ sheet: any PasskeySheet)
        async throws(AuthError)
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

extension Photo {
    /// A picture of one transparent pixel (PNG).
    static let pixel = Photo(
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
            0, 0,
            0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0xF8, 0xFF, 0xBF, 0x1E, 0,
            5,
            0x84, 2, 0x7F, 0xC2, 0x4B, 0x8A, 0xA4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
        ], type: "image/png")
}
