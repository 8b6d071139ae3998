internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about identities of users who are not anonymous, and about accounts that must never be merged.
    static let linking: [Contract<World>] = [
        Contract(
            "linking.add-and-remove",
            "A second identity is added and listed, and signs the user in. After its removal, only the first identity signs the user in.",
            appliesTo: .claiming([.linking, .password, .idToken]), needs: [.issuer, .administrator],
            buildsOn: entering + ["sign-in.id-token.new-and-again"]
        ) { w in
            let issuer = try w.issuer()
            let (person, subject) = (try await w.member(), w.subject())
            let userID = try await w.userID(of: person)
            let client = w.client()
            try await w.enter(client, person)
            let step = try await client.link(try await w.idToken(issuer, for: subject))
            try await w.expectGenuine(step, of: userID, client, "linking")
            let user = try await client.refreshUser()
            w.expect(user.identities.contains { $0.provider == .email }, "the first identity is not listed")
            let identity = try w.require(
                user.identities.first { $0.provider == issuer.provider }, "the second identity is not listed")
            let other = w.client()
            let entered = try await other.signIn(with: try await w.idToken(issuer, for: subject))
            try await w.expectGenuine(entered, of: userID, other, "the second identity")

            try await client.unlink(identity)
            w.expect(
                try await client.refreshUser().identities.allSatisfy { $0.id != identity.id }, "the identity is still listed")
            w.expect(client.state.session?.user.id == userID, "the state is \(client.state.kind)")
            let late = await result(of: { [credential = try await w.idToken(issuer, for: subject)] () async throws(AuthError) in
                try await w.client().signIn(with: credential)
            })
            if case .success(let step) = late {
                w.expect(step.session?.user.id != userID, "the removed identity still signs the user in")
            }
            w.expect(try await w.enter(w.client(), person).user.id == userID, "the first identity signs in another user")
        },

        Contract(
            "linking.last-one-kept", "The last sign-in method cannot be removed, and still signs in.",
            appliesTo: .claiming([.linking, .idToken]), needs: [.issuer], buildsOn: ["sign-in.id-token.new-and-again"]
        ) { w in
            let issuer = try w.issuer()
            // The subject has no email address, because a user could also sign in with a message to that address.
            let subject = IdentitySubject(id: w.environment.randomness.text(12))
            let client = w.client()
            let step = try await client.signIn(with: try await w.idToken(issuer, for: subject))
            let user = try w.require(step.session?.user, "the sign-in returned \(step.kind)")
            let identity = try w.require(
                user.identities.first { $0.provider == issuer.provider }, "the identity is not listed")
            await w.refused(.lastIdentity, of: "the removal of the last identity") { () async throws(AuthError) in
                try await client.unlink(identity)
            }
            w.expect(
                try await client.refreshUser().identities.contains { $0.id == identity.id }, "the user no longer has the identity"
            )
            let again = try await w.client().signIn(with: try await w.idToken(issuer, for: subject))
            w.expect(
                again.session?.user.id == user.id, "the identity signs in another user, or the sign-in returned \(again.kind)")
        },

        Contract(
            "linking.anonymous.conflict",
            "A credential of another user results in `identityConflict` with a way to sign in there. The anonymous user's session "
                + "still works, and the credential still signs in its owner.",
            appliesTo: .claiming([.anonymous, .idToken]), needs: [.issuer, .administrator],
            buildsOn: ["linking.anonymous.conflict-keeps-user"] + ["sign-in.anonymous.state", "sign-in.id-token.new-and-again"]
        ) { w in
            let issuer = try w.issuer()
            let subject = w.subject()
            let owner = try w.require(
                try await w.client().signIn(with: try await w.idToken(issuer, for: subject)).session, "no user was created")
            let client = w.client()
            let guest = try w.require(try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
            let credential = try await w.idToken(issuer, for: subject)
            let step = try await client.link(credential)
            if case .identityConflict(let conflict) = step {
                w.expect(conflict.currentUserID == guest.user.id, "the conflict contains another anonymous user")
                w.expect(conflict.otherUserID.map { $0 == owner.user.id } ?? true, "the conflict contains another owner")
                let ways = Set(conflict.signInMethods)
                w.expect(
                    !ways.isEmpty && ways.isSubset(of: w.claims), "the conflict contains no way to sign in to the other account")
            } else {
                w.found("linking returned \(step.kind)", line: #line)
            }
            w.expect(client.state.session?.user.id == guest.user.id, "the state is \(client.state.kind)")
            w.expect(try await client.refreshUser().isAnonymous, "the user is no longer anonymous")
            w.expect(
                try await w.administrator().accepts(accessToken: try await client.accessToken()),
                "the anonymous user's token no longer works")
            let again = try await w.client().signIn(with: try await w.idToken(issuer, for: subject))
            w.expect(again.session?.user.id == owner.user.id, "the credential signs in another user")
        },

        Contract(
            "linking.unverified-address-not-merged",
            "An identity never signs in to an account through an address that one of the two has not verified. A person "
                + "who signed up with another person's address does not share the owner's account.",
            appliesTo: .claiming([.password, .idToken]), when: .proofIsRequired, needs: [.issuer, .administrator],
            buildsOn: ["sign-in.redirect.page-of-the-web"] + [
                "sign-in.id-token.new-and-again", "sign-up.password.asks-for-proof",
            ]
        ) { w in
            // Mallory signs up with another person's address, and does not verify it.
            let mallory = w.stranger()
            let hers = w.client()
            _ = try await hers.signUp(with: mallory.credential)
            // Backends compare times in whole seconds.
            if w.environment.backendClock != nil { try await w.advance(by: .seconds(2)) }
            var subject = w.subject()
            subject.email = mallory.email
            let owner = w.client()
            let entered = await result(of: {
                [credential = try await w.idToken(try w.issuer(), for: subject)] () async throws(AuthError) in
                try await owner.signIn(with: credential)
            })
            if case .success(let step) = entered, let session = step.session {
                let thief = await result(of: { () async throws(AuthError) in try await w.client().signIn(with: mallory.credential)
                })
                if case .success(let step) = thief {
                    w.expect(
                        step.session?.user.id != session.user.id,
                        "the password of the unverified sign-up opens the owner's account"
                    )
                }
                let earlier = await result(of: { () async throws(AuthError) in try await hers.refreshUser() })
                if case .success(let user) = earlier {
                    w.expect(user.id != session.user.id, "the session of the unverified sign-up belongs to the owner's account")
                }
            }
        },

        Contract(
            "linking.unverified-identity-not-merged",
            "An identity with an address that its provider has not verified never signs in to the account of that address.",
            appliesTo: .claiming([.password, .oauth]), when: .proofIsRequired, needs: [.identityPage, .administrator],
            buildsOn: ["sign-in.oauth.round-trip"]
        ) { w in
            let member = try await w.member()
            var claimed = w.subject(isEmailVerified: false)
            claimed.email = member.email
            let client = w.client()
            let outcome = await client.handle(try await w.consent(to: try await w.page(client), as: claimed))
            let memberID = try await w.userID(of: member)
            w.expect(outcome.session?.user.id != memberID, "an unverified address from a provider opens the account of its owner")
            w.expect(client.state.session?.user.id != memberID, "the state contains the owner of the address")
        },

        Contract(
            "sign-in.id-token.wrong-audience-or-issuer", "A token for another app or from another issuer is rejected.",
            appliesTo: .claiming(.idToken), needs: [.issuer],
            buildsOn: ["sign-in.id-token.new-and-again", "sign-in.id-token.bad-signature", "sign-in.id-token.nonce"]
        ) { w in
            for flaw in [IDTokenFlaw.wrongAudience, .wrongIssuer] { try await w.refuses(flaw) }
        },

        Contract(
            "sign-in.id-token.expired",
            "An expired token is rejected after the minute that backends allow for clock differences, and accepted just "
                + "before its expiry.",
            appliesTo: .claiming(.idToken), needs: [.issuer, .clock],
            buildsOn: ["sign-in.id-token.new-and-again", "sign-in.id-token.bad-signature", "sign-in.id-token.nonce"]
        ) { w in
            try await w.refuses(.expired)
            let issuer = try w.issuer()
            for (client, rest) in [(w.client(), Duration.seconds(1)), (w.client(), .seconds(-90))] {
                let credential = try await w.idToken(issuer, for: w.subject())
                try await w.advance(by: issuer.tokenLife - rest)
                guard rest < .zero else {
                    let step = try await client.signIn(with: credential)
                    w.expect(step.session != nil, "a second before its expiry the token returned \(step.kind)")
                    continue
                }
                await w.refused(.invalidIDToken, of: "a token that expired ninety seconds ago") { () async throws(AuthError) in
                    try await client.signIn(with: credential)
                }
                await w.expectSignedOut(client, "after the expired token")
            }
        },
    ]
}

extension World {
    /// Checks that a token with a flaw is rejected, and that a valid token of the same person is accepted.
    fileprivate func refuses(_ flaw: IDTokenFlaw, line: Int = #line) async throws {
        let (issuer, subject, client) = (try issuer(), subject(), client())
        let credential = try await idToken(issuer, for: subject, flaw: flaw)
        await refused(.invalidIDToken, of: "a token with the flaw \(flaw.rawValue)", line: line) { () async throws(AuthError) in
            try await client.signIn(with: credential)
        }
        await expectSignedOut(client, "after a token with the flaw \(flaw.rawValue)", line: line)
        let right = try await client.signIn(with: try await idToken(issuer, for: subject))
        expect(right.session != nil, "the right token returned \(right.kind)", line: line)
    }
}
