internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about every sign-in and sign-up method, and about values that only one sign-in may use.
    static let everyWay: [Contract<World>] = [
        Contract(
            "sign-in.second-factor.every-way",
            "If a user has a second factor, every sign-in method and a password reset require it before there is a session.",
            appliesTo: .claiming(.secondFactor), needs: [.administrator, .mailbox],
            buildsOn: messageGrounds + [
                "sign-in.second-factor.required", "sign-in.id-token.new-and-again", "sign-in.oauth.round-trip",
                "sign-in.ticket.single-use",
            ]
        ) { w in
            // Tickets are left out: the team's own server creates them and may have checked everything. Clerk asks for no factor then.
            let ways: [Journey.Kind] = [.emailCode, .emailLink, .phoneCode, .idToken, .oauth, .reset]
            for kind in w.journeys(among: ways) {
                guard var journey = try await w.beginIfPossible(kind, withFactor: true) else { continue }
                var isAsked = false
                try await journey.finish { journey in
                    guard case .secondFactor = journey.step else { return }
                    isAsked = true
                    w.expect(
                        journey.client.state.session == nil,
                        "\(kind): before the second factor the state is \(journey.client.state.kind)")
                    w.expect(
                        try await !journey.device.hasStoredSession(),
                        "\(kind): the store contains a session before the second factor")
                }
                w.expect(isAsked, "\(kind): no second factor was required")
                try await journey.expectEnd("the second factor")
            }
        },

        Contract(
            "sign-in.message.makes-no-account",
            "A sign-in by link or code that must not create an account creates none, even after a resend. An unknown "
                + "address is reported, or has the same result as a known one, as declared.",
            appliesTo: .claimingAny([.emailLinkSignIn, .emailCodeSignIn]), needs: [.mailbox, .administrator],
            buildsOn: messageGrounds, declares: Declaration("unknownAddressWithoutAccount")
        ) { w in
            for kind in w.journeys(among: [.emailCode, .emailLink]) {
                let address = w.stranger().email
                let client = w.client()
                let begun = await result(of: { () async throws(AuthError) in
                    try await client.signIn(only: kind, address)
                })
                switch w.behavior.unknownAddressWithoutAccount {
                case .told:
                    w.expect(
                        begun.failure?.code == .userNotFound, "\(kind): the result for an unknown address is \(named(begun))")
                case .likeKnown:
                    w.expect(begun.isSuccess, "\(kind): the result for an unknown address is \(named(begun))")
                    w.expect(try await w.messages(to: address).isEmpty, "\(kind): a message was sent to an unknown address")
                case .createsAccount:
                    let url = try await w.url(for: address)
                    w.expect(
                        try await w.follow(client, url).session != nil,
                        "\(kind): no account was created, although the adapter declares it")
                    continue
                }
                w.expect(
                    try await w.administrator().users().allSatisfy { $0.email != address },
                    "\(kind): the unknown address has an account")

                let (person, known) = (w.stranger(), w.client())
                _ = try await w.administrator().create(
                    email: person.email, password: person.password.reveal(), isEmailVerified: true, displayName: person.name)
                let challenge = try w.require(
                    try await known.signIn(only: kind, person.email).challenge, "\(kind): a known address received no message")
                try await w.administrator().delete(try await w.userID(of: person))
                guard challenge.resendAvailableAt != nil, w.environment.backendClock != nil else { continue }
                let count = try await w.messages(to: person.email).count
                do {
                    let newer = try await w.sendAgain(known, challenge)
                    // Some backends create the account only when the code or link of a message is used.
                    if try await w.messages(to: person.email).count > count {
                        _ = try await w.give(known, newer, to: person.email)
                    }
                } catch is AuthError {}
                w.expect(
                    try await w.administrator().users().allSatisfy { $0.email != person.email },
                    "\(kind): the resent message created an account")
            }
        },

        Contract(
            "sign-up.every-way.keeps-display-name",
            "A sign-up with an emailed code or link, an SMS code or an ID token creates an account with the given name.",
            appliesTo: .claimingAny([.emailCodeSignIn, .emailLinkSignIn, .phoneCode, .idToken]), needs: [.mailbox],
            buildsOn: messageGrounds + ["sign-in.id-token.first-name-kept"]
        ) { w in
            var count = 0
            for kind in w.journeys(among: [.emailCode, .emailLink, .phoneCode, .idToken]) where w.takesSignUps(by: kind) {
                guard var journey = try await w.beginSignUp(by: kind, named: "Ada Lovelace") else { continue }
                count += 1
                try await journey.finish()
                try await journey.expectEnd("the sign-up")
                w.expect(
                    journey.step.session?.user.displayName == "Ada Lovelace", "\(kind): the session's user does not have the name"
                )
                w.expect(
                    try await journey.client.refreshUser().displayName == "Ada Lovelace",
                    "\(kind): the backend does not have the name")
            }
            if count == 0 { throw NotApplicable("users sign up with other methods on this backend") }
        },

        Contract(
            "sign-in.oauth.callback-mixed",
            "A callback with a parameter of another flow signs no other user in.",
            appliesTo: .claiming(.oauth), needs: [.identityPage],
            buildsOn: ["sign-in.oauth.round-trip", "sign-in.oauth.state-mismatch"]
        ) { w in
            let (mallory, person) = (w.subject(), w.subject())
            for one in [mallory, person] {
                let client = w.client()
                _ = try await w.follow(client, try await w.consent(to: try await w.page(client), as: one))
            }
            let names = try Callback(try await w.consent(to: try await w.page(w.client()), as: mallory)).parameters.keys.sorted()
            for name in names {
                let foreign = try Callback(try await w.consent(to: try await w.page(w.client()), as: mallory)).parameters[name]
                let client = w.client()
                let own = try await w.consent(to: try await w.page(client), as: person)
                let outcome = await client.handle(try own.replacing(name, by: foreign ?? ""))
                guard let session = outcome.session ?? client.state.session else { continue }
                w.expect(session.user.email == person.email, "with another flow's \(name), another user is signed in")
            }
        },

        Contract(
            "sign-in.oauth.parameters", "The address of the identity provider's page contains the parameters from the app.",
            appliesTo: .claiming(.oauth), needs: [.identityPage], buildsOn: ["sign-in.oauth.round-trip"]
        ) { w in
            let hint = "ada+\(w.environment.randomness.text(6))@example.com"
            let step = try await w.client().signIn(
                with: .oauth(try w.identityPage().provider, parameters: ["login_hint": hint]))
            guard case .redirect(let redirect) = step else { return w.found("the sign-in returned \(step.kind)", line: #line) }
            let given = (try? Callback(redirect.url))?.parameters.values.contains(hint) ?? false
            w.expect(given, "the page's address does not contain the login hint")
        },

        Contract(
            "sign-in.passkey.single-use",
            "A passkey's answer signs in once, only in its own flow, and not after its challenge has expired.",
            appliesTo: .claiming([.passkey, .password]), needs: [.passkeys, .administrator, .clock],
            buildsOn: ["sign-in.passkey.completes", "verification.relaunch-each-way"]
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot use passkeys")
            var journey = try await w.begin(.passkey)
            func signed(_ journey: Journey) async throws -> JSON {
                let options = try w.require(
                    try journey.challenge().passkeyOptions, "the challenge has no options for the passkey sheet")
                return try await sheet.sign(options, as: journey.userID ?? "")
            }
            let first = try await signed(journey)
            let twin = await journey.twin()
            try journey.go(on: await journey.respond(.passkey(first)))
            try await journey.expectEnd("the passkey")
            for (what, other) in [("again", twin), ("in another flow", try await w.begin(.passkey))] {
                let replayed = await other.respond(.passkey(first))
                w.expect(!replayed.isSuccess, "a used signature was accepted \(what)")
            }
            let late = try await w.begin(.passkey)
            let end = try w.require(try late.challenge().expiresAt, "the challenge does not contain its expiry")
            let signature = try await signed(late)
            try await w.advance(by: end - w.clock.now + .seconds(1))
            let ended = await late.respond(.passkey(signature))
            w.expect(
                ended.failure.map { [.codeExpired, .invalidCredentials, .flowNotFound].contains($0.code) } ?? false,
                "after the challenge expired, the result of the passkey is \(named(ended))")
            await w.expectSignedOut(late.client, "after an expired passkey challenge")
        },
    ]
}

extension PortableClient {
    /// Starts a sign-in that must not create an account.
    fileprivate func signIn(only kind: Journey.Kind, _ address: String) async throws(AuthError) -> AuthStep {
        kind == .emailLink
            ? try await signIn(with: .emailLink(address, createsAccount: false))
            : try await signIn(with: .emailCode(address, createsAccount: false))
    }
}

extension World {
    /// Whether the adapter also supports this method for sign-ups.
    fileprivate func takesSignUps(by kind: Journey.Kind) -> Bool {
        let way: Capability =
            switch kind {
            case .emailCode: .emailCodeSignIn
            case .emailLink: .emailLinkSignIn
            case .phoneCode: .phoneCode
            default: .idToken
            }
        return AuthClient(adapter: honest, store: MemorySessionStore(clock: clock)).signUpMethods.contains(way)
    }

    /// Begins a sign-up without a password.
    ///
    /// Returns `nil` if the administrator cannot create users with phone numbers.
    fileprivate func beginSignUp(by kind: Journey.Kind, named name: String) async throws -> Journey? {
        var person = stranger()
        person.name = name
        let device = self.device()
        let client = device.launch()
        var addresses: [String] = []
        let step: AuthStep
        switch kind {
        case .emailCode: step = try await client.signUp(with: .emailCode(person.email), displayName: name)
        case .emailLink: step = try await client.signUp(with: .emailLink(person.email), displayName: name)
        case .phoneCode:
            // Some projects accept phone numbers only after one user has a number.
            do { _ = try await administrator().create(phone: number()) } catch is EnvironmentError { return nil }
            addresses = [number()]
            step = try await client.signUp(with: .phoneCode(addresses[0]), displayName: name)
        default:
            let subject = IdentitySubject(id: environment.randomness.text(12), email: person.email)
            step = try await client.signUp(with: try await idToken(try issuer(), for: subject), displayName: name)
        }
        return Journey(world: self, kind: kind, device: device, client: client, step: step, person: person, addresses: addresses)
    }
}

extension String {
    /// Returns the URL with a new value of one parameter in its query or fragment.
    fileprivate func replacing(_ name: String, by value: String) throws -> String {
        let callback = try Callback(self)
        guard let old = callback.parameters[name] else { return self }
        let (from, to) = ("\(name)=\(Percent.encode(old))", "\(name)=\(Percent.encode(value))")
        return contains(from) ? replacing(from, with: to) : replacing("\(name)=\(old)", with: to)
    }
}
