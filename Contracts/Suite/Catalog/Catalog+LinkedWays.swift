internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about identities from a provider's page, and about methods that a user adds by a message.
    static let linkedWays: [Contract<World>] = [
        Contract(
            "linking.page.add-and-remove",
            "An identity that was added on a provider's page can be removed. Then it is no longer listed, and does not sign the "
                + "user in. The user's first identities are listed, and sign the user in.",
            appliesTo: .claiming([.linking, .oauth, .password]), needs: [.identityPage, .administrator],
            buildsOn: ["linking.oauth.round-trip"]
        ) { w in
            let (person, subject, provider) = (try await w.member(), w.subject(), try w.identityPage().provider)
            let client = w.client()
            let session = try await w.enter(client, person)
            let first = Set(session.user.identities.map(\.id))
            let identity = try await w.linkedIdentity(client, as: subject)
            try await client.unlink(identity)
            let reloaded = try await client.refreshUser()
            let elsewhere = try await w.enter(w.client(), person).user
            for (who, user) in [("this device", reloaded), ("another device", elsewhere)] {
                let left = user.identities
                w.expect(user.id == session.user.id, "after the removal, \(who) has another user")
                w.expect(left.allSatisfy { $0.id != identity.id && $0.provider != provider }, "\(who) still lists the identity")
                w.expect(first.isSubset(of: left.map(\.id)), "after the removal, \(who) lacks one of the first identities")
            }
            w.expect(client.state.session?.user.id == session.user.id, "after the removal the state is \(client.state.kind)")
            w.expect(
                try await w.administrator().accepts(accessToken: try await client.accessToken()),
                "after the removal the session no longer works")
            let late = w.client()
            let entered = await late.handle(try await w.consent(to: try await w.page(late), as: subject))
            w.expect(entered.session?.user.id != session.user.id, "the removed identity still signs the user in")
            w.expect(late.state.session?.user.id != session.user.id, "after the removed identity the state contains the user")
        },

        Contract(
            "linking.page.last-one-kept",
            "If the identity of a provider's page is the user's only sign-in method, it cannot be removed, and still signs in. "
                + "If it can be removed, a message signs the same user in.",
            appliesTo: .claiming([.linking, .oauth]), needs: [.identityPage], buildsOn: ["sign-in.oauth.round-trip"]
        ) { w in
            let (client, subject) = (w.client(), w.subject())
            let step = try await w.enter(client, onPageAs: subject)
            let user = try w.require(step.session?.user, "the sign-in returned \(step.kind)")
            let provider = try w.identityPage().provider
            let identity = try w.require(user.identities.first { $0.provider == provider }, "the identity is not listed")
            let removed = await result(of: { () async throws(AuthError) in try await client.unlink(identity) })
            let isListed = try await client.refreshUser().identities.contains { $0.id == identity.id }
            if case .failure(let error) = removed {
                w.expect(error.code == .lastIdentity, "the removal of the last identity failed with \(error)")
                w.expect(isListed, "after the rejected removal the user no longer has the identity")
                let again = try await w.enter(w.client(), onPageAs: subject)
                w.expect(again.session?.user.id == user.id, "the identity signs in another user, or returned \(again.kind)")
                return
            }
            w.expect(!isListed, "the call succeeded, but the identity is still listed")
            var owner = w.stranger()
            owner.email = try w.require(user.email, "a user without an address has no sign-in method left")
            let other = w.client()
            let entry: AuthStep
            if w.can(.emailCodeSignIn) {
                entry = try await other.signIn(with: .emailCode(owner.email, createsAccount: false))
            } else if w.can(.emailLinkSignIn) {
                entry = try await other.signIn(with: .emailLink(owner.email, createsAccount: false))
            } else {
                try w.end("the user has no sign-in method left")
            }
            let session = try await w.prove(other, entry, of: owner)
            w.expect(session.user.id == user.id, "after the removal a message signs in another user")
        },

        Contract(
            "linking.page.unverified-address-not-merged",
            "After its owner signs in on a provider's page, neither the password nor the session of a person who signed up with the "
                + "same address opens the owner's account.",
            appliesTo: .claiming([.password, .oauth]), when: .proofIsRequired, needs: [.identityPage, .clock],
            buildsOn: ["sign-in.oauth.round-trip", "sign-up.password.asks-for-proof"]
        ) { w in
            let mallory = w.stranger()
            let hers = w.client()
            _ = try await hers.signUp(with: mallory.credential)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            var subject = w.subject()
            subject.email = mallory.email
            let owner = w.client()
            let entered = await owner.handle(try await w.consent(to: try await w.page(owner), as: subject))
            guard let ownerID = entered.session?.user.id else { return }
            try await w.expectNoEntry(of: mallory, hers, to: ownerID, "an identity")
        },

        Contract(
            "linking.by-message",
            "Each password, address or number that a user or an anonymous user can add ends with the same user, who then has it, "
                + "and it signs that user in.",
            appliesTo: .claimingAny([.linking, .anonymous]), needs: [.mailbox, .clock],
            buildsOn: entering + ["capability.ways-to-link"]
        ) { w in
            var count = 0
            for isGuest in [false, true] where w.can(isGuest ? .anonymous : .linking) {
                for way in [Capability.password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode] where w.can(way) {
                    if try await w.expectAddition(of: way, isGuest: isGuest) { count += 1 }
                }
            }
            if count == 0 { throw NotApplicable("no method of this backend is added by a message or a password") }
        },

        Contract(
            "account.reauthenticate.unknown-address",
            "Signing in again with a code or link to an address that no user has creates no user, and leaves the session.",
            appliesTo: .claiming([.reauthentication, .password]), needs: [.administrator, .mailbox],
            buildsOn: ["account.reauthenticate.every-way"]
        ) { w in
            let (client, person) = (w.client(), try await w.member())
            let session = try await w.enter(client, person)
            let ways = client.reauthenticationMethods.filter { [.emailCodeSignIn, .emailLinkSignIn].contains($0) }
            guard !ways.isEmpty else { throw NotApplicable("no message signs a user in again") }
            for way in ways {
                let (unknown, users) = (w.stranger(), Set(try await w.administrator().users().map(\.id)))
                let begun = await result(of: { () async throws(AuthError) in
                    way == .emailCodeSignIn
                        ? try await client.reauthenticate(with: .emailCode(unknown.email))
                        : try await client.reauthenticate(with: .emailLink(unknown.email))
                })
                if let challenge = begun.success?.challenge, try await !w.messages(to: unknown.email).isEmpty {
                    do {
                        let end = try await w.give(client, challenge, to: unknown.email)
                        w.found("signing in again by \(way) with an unknown address returned \(end.kind)", line: #line)
                    } catch let error as AuthError {
                        w.expect(error.code == .userMismatch, "signing in again by \(way) failed with \(error)")
                    }
                }
                if let step = begun.success {
                    w.expect(step.session == nil, "signing in again by \(way) with an unknown address returned \(step.kind)")
                }
                w.expect(
                    Set(try await w.administrator().users().map(\.id)) == users,
                    "signing in again by \(way) with an unknown address created a user")
                w.expect(client.state.session?.user.id == session.user.id, "after \(way) the state is \(client.state.kind)")
                w.expect(try await client.refreshUser().id == session.user.id, "after \(way) the session is another user's")
                if let flow = client.pending?.flow {
                    _ = await result(of: { () async throws(AuthError) in try await client.cancel(flow) })
                }
            }
        },
    ]
}

extension World {
    /// Signs in on a provider's page.
    func enter(_ client: any PortableClient, onPageAs subject: IdentitySubject, line: Int = #line) async throws -> AuthStep {
        try await follow(client, try await consent(to: try await page(client, line: line), as: subject, line: line), line: line)
    }

    /// Adds an identity on a provider's page, and returns it as the user's list shows it.
    func linkedIdentity(
        _ client: any PortableClient, as subject: IdentitySubject, line: Int = #line
    ) async throws -> Identity {
        let provider = try identityPage().provider
        guard client.linkMethods.contains(.oauth) else { throw NotApplicable("no provider's page adds a sign-in method") }
        guard case .redirect(let redirect) = try await client.link(.oauth(provider)) else {
            try end("linking opens no page", line: line)
        }
        _ = try await follow(client, try await consent(to: redirect.url, as: subject, line: line), line: line)
        let identities = try await client.refreshUser().identities
        return try require(identities.first { $0.provider == provider }, "the identity is not listed", line: line)
    }

    /// Checks that neither the password nor the session of a sign-up with an owner's address opens the owner's account.
    func expectNoEntry(
        of stranger: Person, _ client: any PortableClient, to ownerID: String, _ proof: String, line: Int = #line
    ) async throws {
        let late = self.client()
        let thief = await result(of: { () async throws(AuthError) in try await late.signIn(with: stranger.credential) })
        expect(
            thief.success?.session?.user.id != ownerID, "after \(proof), the stranger's password opens the owner's account",
            line: line)
        let earlier = await result(of: { () async throws(AuthError) in try await client.refreshUser() })
        expect(
            earlier.success?.id != ownerID, "after \(proof), the stranger's session belongs to the owner's account", line: line)
        guard let challenge = client.pending?.challenge, challenge.accepts.contains(.poll) else { return }
        let polled = await result(of: { () async throws(AuthError) in
            try await client.respond(to: challenge.flow, with: .poll)
        })
        expect(
            polled.success?.session?.user.id != ownerID, "after \(proof), the stranger's own flow opens the owner's account",
            line: line)
    }

    /// Adds a method to a new user; returns `false` if the user cannot add it.
    fileprivate func expectAddition(of way: Capability, isGuest: Bool, line: Int = #line) async throws -> Bool {
        let (client, who) = (self.client(), isGuest ? "an anonymous user" : "a member")
        var addresses: [String] = []
        if isGuest {
            _ = try await client.signIn(with: .anonymous)
        } else if can(.password) {
            let member = try await member()
            try await enter(client, member, line: line)
            // Some backends also require a verification of the old address.
            addresses = [member.email]
        } else {
            try await signIn(client, line: line)
        }
        let before = try require(client.state.session?.user, "\(who) is not signed in", line: line)
        guard before.isAnonymous == isGuest, client.linkMethods.contains(way) else { return false }
        try await advance(by: .seconds(90))
        let (person, phone) = (stranger(), number())
        if way == .phoneCode { _ = try await administrator().create(phone: number()) }
        var step =
            switch way {
            case .password: try await client.link(person.credential)
            case .emailLinkSignIn: try await client.link(.emailLink(person.email))
            case .emailCodeSignIn: try await client.link(.emailCode(person.email))
            default: try await client.link(.phoneCode(phone))
            }
        for address in [way == .phoneCode ? phone : person.email] + addresses {
            guard let challenge = step.challenge else { break }
            step = try await give(client, challenge, to: address, line: line)
        }
        let what = "\(way), added by \(who),"
        let session = try require(step.session, "\(what) returned \(step.kind)", line: line)
        expect(session.user.id == before.id, "\(what) returned another user", line: line)
        expect(client.state.session?.user.id == before.id, "after \(what) the state is \(client.state.kind)", line: line)
        let user = try await client.refreshUser()
        expect(user.id == before.id && !user.isAnonymous, "\(what) leaves an anonymous or another user", line: line)
        let isThere = way == .phoneCode ? user.phone == phone : user.email == person.email
        expect(isThere, "the user does not have the address or number of \(what)", line: line)
        try await advance(by: .seconds(90))
        let other = self.client()
        var entry =
            switch way {
            case .password: try await other.signIn(with: person.credential)
            case .emailLinkSignIn: try await other.signIn(with: .emailLink(person.email))
            case .emailCodeSignIn: try await other.signIn(with: .emailCode(person.email))
            default: try await other.signIn(with: .phoneCode(phone))
            }
        for _ in 0..<2 {
            guard let challenge = entry.challenge else { break }
            entry = try await give(other, challenge, to: way == .phoneCode ? phone : person.email, line: line)
        }
        expect(entry.session?.user.id == before.id, "\(what) signs in another user, or returned \(entry.kind)", line: line)
        return true
    }
}
