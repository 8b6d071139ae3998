internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the owners of identities, addresses and passwords.
    static let identities: [Contract<World>] = [
        Contract(
            "linking.conflict",
            "A user who links another user's identity gets `identityConflict`, with the identity as a way to sign in "
                + "there. The identity stays with its owner, and both accounts are unchanged.",
            appliesTo: .claiming([.linking, .password, .idToken]), needs: [.issuer, .administrator],
            buildsOn: entering + ["linking.add-and-remove", "linking.anonymous.conflict"]
        ) { w in
            let (issuer, subject, person) = (try w.issuer(), w.subject(), try await w.member())
            let owner = try w.require(
                try await w.client().signIn(with: try await w.idToken(issuer, for: subject)).session, "no user was created")
            let client = w.client()
            let session = try await w.enter(client, person)
            let step = try await client.link(try await w.idToken(issuer, for: subject))
            if case .identityConflict(let conflict) = step {
                w.expect(conflict.currentUserID == session.user.id, "the conflict contains another user")
                w.expect(conflict.otherUserID.map { $0 == owner.user.id } ?? true, "the conflict contains another owner")
                w.expect(
                    conflict.signInMethods.contains(.idToken), "the conflict lists the ways to sign in \(conflict.signInMethods)")
                w.expect(
                    w.claims.isSuperset(of: conflict.signInMethods),
                    "the conflict lists the ways to sign in \(conflict.signInMethods)")
            } else {
                w.found("linking returned \(step.kind)", line: #line)
            }
            w.expect(client.pending == nil, "after the conflict the step is \(client.pending?.kind ?? "none")")
            w.expect(client.state.session?.user.id == session.user.id, "after the conflict the state is \(client.state.kind)")
            let user = try await client.refreshUser()
            w.expect(user.identities == session.user.identities, "after the conflict the user has different identities")
            let again = try await w.client().signIn(with: try await w.idToken(issuer, for: subject))
            w.expect(again.session?.user.id == owner.user.id, "the identity signs in another user")
            w.expect(try await w.enter(w.client(), person).user.id == session.user.id, "the password signs in another user")
        },

        Contract(
            "linking.unverified-address-stays-unproven",
            "An address that the identity's provider has not verified stays unverified, unless ID tokens are declared to verify it.",
            appliesTo: .claimingAny([.idToken, .oauth]), needs: [.administrator],
            buildsOn: ["sign-in.id-token.new-and-again", "sign-in.oauth.round-trip", "capability.anonymous.asked-where-claimed"],
            declares: Declaration("unverifiedAddressOfIDToken")
        ) { w in
            func expect(
                _ becomes: ProviderBehavior.UnverifiedAddress, _ claimed: IdentitySubject, _ client: any PortableClient,
                _ what: String, line: Int = #line
            ) async throws {
                let user = client.state.session?.user
                let isShown = user?.email?.lowercased() == claimed.email && user?.isEmailVerified == true
                let users = try await w.administrator().users()
                let isStored = users.contains { $0.email?.lowercased() == claimed.email && $0.isEmailVerified }
                guard becomes == .staysUnproven else {
                    return w.expect(
                        isShown && isStored, "\(what) does not verify an address, although the adapter declares it", line: line)
                }
                w.expect(!isShown, "\(what) verifies an address that its provider has not verified", line: line)
                w.expect(!isStored, "after \(what) the backend has a verified user with the address", line: line)
            }
            let declared = w.behavior.unverifiedAddressOfIDToken
            if w.can(.idToken), let issuer = w.environment.issuer {
                let (claimed, client) = (w.subject(isEmailVerified: false), w.client())
                let credential = try await w.idToken(issuer, for: claimed)
                _ = await result(of: { () async throws(AuthError) in try await client.signIn(with: credential) })
                try await expect(declared, claimed, client, "an ID token")
            }
            if w.can(.idToken), w.can(.anonymous), let issuer = w.environment.issuer {
                let (claimed, client) = (w.subject(isEmailVerified: false), w.client())
                _ = try await client.signIn(with: .anonymous)
                let credential = try await w.idToken(issuer, for: claimed)
                _ = await result(of: { () async throws(AuthError) in try await client.link(credential) })
                try await expect(declared, claimed, client, "linking by an anonymous user")
            }
            // If the backend confirms addresses automatically, it does not check whether the provider has verified the address.
            if w.can(.oauth), w.environment.identityPage != nil,
                w.behavior.signUpProof == .required || declared == .staysUnproven
            {
                let (claimed, client) = (w.subject(isEmailVerified: false), w.client())
                _ = await client.handle(try await w.consent(to: try await w.page(client), as: claimed))
                try await expect(.staysUnproven, claimed, client, "a redirect sign-in")
            }
        },

        Contract(
            "linking.anonymous.taken-address",
            "If an anonymous user links an identity with another account's address, there is one account with that address, and it "
                + "belongs to its owner.",
            appliesTo: .claiming([.anonymous, .idToken, .password]), needs: [.issuer, .administrator],
            buildsOn: ["sign-in.anonymous.state", "sign-in.id-token.new-and-again"]
        ) { w in
            let member = try await w.member()
            let owner = try await w.userID(of: member)
            for isVerified in [true, false] {
                let client = w.client()
                let guest = try w.require(
                    try await client.signIn(with: .anonymous).session, "the anonymous sign-in did not complete")
                var subject = w.subject(isEmailVerified: isVerified)
                subject.email = member.email
                let credential = try await w.idToken(try w.issuer(), for: subject)
                _ = await result(of: { () async throws(AuthError) in try await client.link(credential) })
                w.expect(
                    client.state.session?.user.id == guest.user.id,
                    "the state is \(client.state.kind), or another user is signed in")
                let owners = try await w.administrator().users().filter { $0.email?.lowercased() == member.email }.map(\.id)
                w.expect(owners == [owner], "the address has \(owners.count) accounts, or a different owner")
                let user = try await client.refreshUser()
                w.expect(user.email?.lowercased() != member.email, "the anonymous user has the address of another account")
            }
        },

        Contract(
            "sign-up.password.second-before-proof",
            "If an unverified address signs up twice with different passwords, the declared one of the two signs in to the account after "
                + "its owner verifies it.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .administrator, .clock], buildsOn: proving,
            declares: Declaration("passwordOfUnprovenAccount")
        ) { w in
            let first = w.stranger()
            var second = first
            second.password = Secret("Sec0nd-" + w.environment.randomness.text(8))
            let mallory = w.client()
            _ = try await w.challenge(of: first, mallory)
            try await w.advance(by: .seconds(90))
            let owner = w.client()
            let again = await result(of: { [second] () async throws(AuthError) in
                try await owner.signUp(with: second.credential, displayName: second.name)
            })
            switch again {
            case .success(let step): try await w.prove(owner, step, of: second)
            case .failure(let error):
                w.expect(error.code == .emailAlreadyInUse, "the second sign-up failed with \(error)")
            }
            try await w.advance(by: .seconds(90))
            var right: [ProviderBehavior.UnprovenPassword] = []
            for (name, person) in [(ProviderBehavior.UnprovenPassword.first, first), (.latest, second)] {
                let entered = await result(of: { () async throws(AuthError) in
                    try await w.client().signIn(with: person.credential)
                })
                switch entered {
                case .success: right.append(name)
                case .failure(let error):
                    w.expect(error.code == .invalidCredentials, "the \(name.rawValue) password was rejected with \(error)")
                }
            }
            let declared = w.behavior.passwordOfUnprovenAccount
            w.expect(
                right == [declared], "the passwords that sign in are \(right.map(\.rawValue)), declared is \(declared.rawValue)")
        },
    ]
}
