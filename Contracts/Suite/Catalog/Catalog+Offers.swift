internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the methods that screens may offer: sign-in methods and factors to add, and methods to sign in again.
    static let offers: [Contract<World>] = [
        Contract(
            "capability.ways-to-link",
            "A sign-in method that a user or an anonymous user can add never fails with `unsupported`. Every other method is rejected "
                + "before a request, also if an anonymous user signs in with it.",
            appliesTo: .claimingAny([.linking, .anonymous]), needs: [.trace],
            buildsOn: ["capability.anonymous.asked-where-claimed"]
        ) { w in
            for isGuest in [false, true] where w.can(isGuest ? .anonymous : .linking) {
                let who = isGuest ? "an anonymous user" : "a member"
                for way in Capability.all where w.can(way) {
                    guard let presented = w.presented(way) else { continue }
                    let client = w.client()
                    if isGuest { _ = try await client.signIn(with: .anonymous) } else { try await w.signIn(client) }
                    guard client.state.session?.user.isAnonymous == isGuest else { continue }
                    let isOffered = client.linkMethods.contains(way)
                    guard isOffered else {
                        try await w.expectRequests(0...0, "adding \(way), which \(who) cannot add") {
                            await w.refused(.unsupported, of: "adding \(way), which \(who) cannot add") {
                                () async throws(AuthError) in
                                try await presented.link(client)
                            }
                            guard isGuest, way != .anonymous else { return }
                            await w.refused(.anonymousUserWouldBeLost, of: "an anonymous user's sign-in by \(way)") {
                                () async throws(AuthError) in
                                try await presented.signIn(client)
                            }
                        }
                        continue
                    }
                    let outcome = await result(of: { () async throws(AuthError) in try await presented.link(client) })
                    if case .failure(let error) = outcome {
                        w.expect(
                            ![.unsupported, .anonymousUserWouldBeLost].contains(error.code),
                            "\(way), which \(who) can add, failed with \(error)")
                    }
                }
                let client = w.client()
                if isGuest { _ = try await client.signIn(with: .anonymous) } else { try await w.signIn(client) }
                w.expect(w.claims.isSuperset(of: client.linkMethods), "\(who) can add a method that the adapter does not claim")
            }
            w.expect(w.client().linkMethods.isEmpty, "without a user, the client lists methods to add")
        },

        Contract(
            "capability.factor-kinds",
            "A kind of second factor that users can add never fails with `unsupported`. Every other kind is rejected before a request.",
            appliesTo: .claiming(.factorEnrolment), needs: [.trace, .mailbox]
        ) { w in
            let kinds = w.client().factorKinds
            w.expect(!kinds.isEmpty, "no second factor can be added")
            for kind in FactorChoice.Kind.allCases {
                let client = try await w.signedIn().0
                let factor = NewFactor(kind, phone: kind == .phone ? w.number() : nil)
                guard kinds.contains(kind) else {
                    try await w.expectRequests(0...0, "a factor of the kind \(kind.rawValue)") {
                        await w.refused(.unsupported, of: "a factor of the kind \(kind.rawValue)") { () async throws(AuthError) in
                            try await client.addFactor(factor)
                        }
                    }
                    continue
                }
                let outcome = await result(of: { () async throws(AuthError) in try await client.addFactor(factor) })
                if case .failure(let error) = outcome {
                    w.expect(error.code != .unsupported, "a factor of the kind \(kind.rawValue) failed with \(error)")
                }
            }
        },

        Contract(
            "account.reauthenticate.every-way",
            "Each listed method of signing in again renews the user's sign-in, both for a user with a password and for a user with an "
                + "identity.",
            appliesTo: .claiming([.reauthentication, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: entering + ["account.reauthenticate.wrong", "sign-in.id-token.new-and-again"]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            try await w.enter(client, person)
            w.expect(client.reauthenticationMethods.contains(.password), "the list does not contain the password")
            try await w.expectRenewals(of: client, person, nil)
            w.expect(w.client().reauthenticationMethods.isEmpty, "without a user, the client lists ways to sign in again")

            guard w.can(.idToken), let issuer = w.environment.issuer else { return }
            let subject = w.subject()
            let other = w.client()
            let user = try await other.signIn(with: try await w.idToken(issuer, for: subject)).session?.user
            _ = try w.require(user, "no user was created")
            var owner = w.stranger()
            owner.email = user?.email ?? subject.email ?? ""
            try await w.expectRenewals(of: other, owner, subject)
        },

        Contract(
            "linking.oauth.round-trip",
            "A user can add an identity on a provider's page. It is listed, and signs that user in. Another user's "
                + "identity is a conflict, leaves no flow, and stays with its owner.",
            appliesTo: .claiming([.linking, .oauth, .password]), needs: [.identityPage, .administrator],
            buildsOn: entering + ["sign-in.oauth.round-trip", "linking.add-and-remove"]
        ) { w in
            let (person, subject, provider) = (try await w.member(), w.subject(), try w.identityPage().provider)
            let client = w.client()
            let session = try await w.enter(client, person)
            guard client.linkMethods.contains(.oauth) else { throw NotApplicable("no provider's page adds a sign-in method") }
            func linked(_ client: any PortableClient, _ subject: IdentitySubject) async throws -> CallbackOutcome {
                guard case .redirect(let redirect) = try await client.link(.oauth(provider)) else {
                    try w.end("linking opens no page")
                }
                return await client.handle(try await w.consent(to: redirect.url, as: subject))
            }
            let end = try await linked(client, subject)
            w.expect(end.session?.user.id == session.user.id, "linking returned \(end.kind), or another user")
            let user = try await client.refreshUser()
            w.expect(user.identities.contains { $0.provider == provider }, "the identity is not listed")
            let again = w.client()
            let entered = await again.handle(try await w.consent(to: try await w.page(again), as: subject))
            w.expect(entered.session?.user.id == session.user.id, "the identity returned \(entered.kind), or another user")

            let second = w.client()
            let other = try await w.enter(second, try await w.member())
            let conflict = try await linked(second, subject)
            if case .step(.identityConflict(let step)) = conflict {
                w.expect(step.currentUserID == other.user.id, "the conflict contains another user")
                w.expect(step.signInMethods.contains(.oauth), "the conflict lists the ways to sign in \(step.signInMethods)")
            } else {
                w.found("another user's identity returned \(conflict.kind)", line: #line)
            }
            w.expect(second.pending == nil, "after the conflict the step is \(second.pending?.kind ?? "none")")
            w.expect(second.state.session?.user.id == other.user.id, "after the conflict the state is \(second.state.kind)")
            w.expect(
                try await second.refreshUser().identities == other.user.identities,
                "after the conflict the user has different identities")
            let late = w.client()
            let owner = await late.handle(try await w.consent(to: try await w.page(late), as: subject))
            w.expect(owner.session?.user.id == session.user.id, "after the conflict the identity returned \(owner.kind)")
        },
    ]
}

/// A credential that belongs to no user, and the calls that use it.
private struct Presented: Sendable {
    let link: @Sendable (any PortableClient) async throws(AuthError) -> AuthStep
    let signIn: @Sendable (any PortableClient) async throws(AuthError) -> AuthStep

    init(_ credential: some Credential) {
        link = { client throws(AuthError) in try await client.link(credential) }
        signIn = { client throws(AuthError) in try await client.signIn(with: credential) }
    }
}

extension World {
    /// Returns a new credential for a sign-in method, or `nil` for another capability.
    fileprivate func presented(_ way: Capability) -> Presented? {
        switch way {
        case .password: Presented(stranger().credential)
        case .emailLinkSignIn: Presented(EmailLinkCredential(email: stranger().email))
        case .emailCodeSignIn: Presented(EmailCodeCredential(email: stranger().email))
        case .phoneCode: Presented(PhoneCodeCredential(phone: number()))
        case .anonymous: Presented(AnonymousCredential())
        case .idToken: Presented(IDTokenCredential(provider: .apple, token: Secret(environment.randomness.text(40))))
        case .oauth: Presented(OAuthCredential.oauth(environment.identityPage?.provider ?? .apple))
        case .ticket: Presented(TicketCredential(token: Secret(environment.randomness.text(40))))
        case .passkey: Presented(PasskeyCredential())
        default: nil
        }
    }

    /// Checks that each offered method renews a sign-in that is an hour old.
    fileprivate func expectRenewals(
        of client: any PortableClient, _ person: Person, _ subject: IdentitySubject?, line: Int = #line
    ) async throws {
        let userID = try require(client.state.session?.user.id, "no user is signed in", line: line)
        let ways = client.reauthenticationMethods
        expect(!ways.isEmpty, "the client lists no way to sign in again", line: line)
        expect(claims.isSuperset(of: ways), "the ways to sign in again are \(ways)", line: line)
        for way in ways {
            try await advance(by: .seconds(3700))
            _ = try await client.accessToken()
            let before = client.state.session?.signedInAt
            guard let step = try await renew(client, by: way, person, subject, line: line) else { continue }
            let session = try require(step.session, "signing in again by \(way) returned \(step.kind)", line: line)
            expect(session.user.id == userID, "signing in again by \(way) signed in another user", line: line)
            expect(client.state.session?.user.id == userID, "after \(way) the state is \(client.state.kind)", line: line)
            if let before, let now = client.state.session?.signedInAt {
                expect(now > before, "\(way) did not renew the sign-in", line: line)
            }
        }
    }

    /// Signs in again with a method, or returns `nil` if a control is missing.
    private func renew(
        _ client: any PortableClient, by way: Capability, _ person: Person, _ subject: IdentitySubject?, line: Int
    ) async throws -> AuthStep? {
        func proven(_ step: AuthStep, _ kind: ChallengeResponse.Kind) async throws -> AuthStep {
            guard let challenge = step.challenge else { return step }
            return try await give(client, challenge, to: person.email, way: kind, line: line)
        }
        switch way {
        case .password: return try await client.reauthenticate(with: person.credential)
        case .emailCodeSignIn:
            return try await proven(client.reauthenticate(with: .emailCode(person.email, createsAccount: false)), .code)
        case .emailLinkSignIn:
            return try await proven(client.reauthenticate(with: .emailLink(person.email, createsAccount: false)), .link)
        case .idToken:
            guard let subject else { return nil }
            return try await client.reauthenticate(with: try await idToken(try issuer(), for: subject))
        case .oauth:
            guard let subject, let page = environment.identityPage else { return nil }
            let step = try await client.reauthenticate(with: .oauth(page.provider))
            guard case .redirect(let redirect) = step else { return step }
            return try await follow(client, try await consent(to: redirect.url, as: subject, line: line), line: line)
        default: return nil
        }
    }
}
