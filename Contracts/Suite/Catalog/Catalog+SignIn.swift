internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    static let entering = ["sign-in.password.completes", "sign-in.email-code.completes"]

    /// Adapters with which a person that the suite chooses can sign in repeatedly.
    static let takingPersons = Applicability.claimingAny([.password, .emailCodeSignIn])

    /// Contracts about sign-in with a password, a link or a code, and about the steps of a sign-in.
    public static let signIn: [Contract<World>] = [
        Contract(
            "sign-in.password.completes",
            "The right address and password sign in the user with that address, with the result `complete` and the state `signedIn`. A "
                + "step for a new device comes first, if declared.",
            appliesTo: .claiming(.password), needs: [.mailbox], declares: Declaration("newDevice")
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let step = try await client.signIn(with: person.credential)
            let asks = w.behavior.newDevice == .asksForCode
            w.expect((step.challenge != nil) == asks, "on a new device the password returned \(step.kind)")
            let session = try await w.prove(client, step, of: person)
            w.expect(session.user.email == person.email, "another user was signed in")
            w.expect(client.state.session?.user.email == person.email, "the state contains another user")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "sign-in.password.own-account",
            "The signed-in user is the backend's user with exactly that address, also if another address differs only by a tag, and the "
                + "backend accepts the token of the session.",
            appliesTo: .claiming(.password), needs: [.mailbox, .administrator], buildsOn: entering + ["sign-in.replaces-session"]
        ) { w in
            var (person, other) = (w.stranger(), w.stranger())
            person.email = String(person.email.dropFirst("lockstep+".utf8.count))
            other.email = person.email.replacing("@", with: "+tag@")
            for one in [person, other] {
                _ = try await w.administrator().create(
                    email: one.email, password: one.password.reveal(), isEmailVerified: true, displayName: one.name)
            }
            let client = w.client()
            for one in [other, person] {
                let session = try await w.enter(client, one)
                try await w.expectGenuine(.complete(session), of: try await w.userID(of: one), client, "the sign-in")
            }
        },

        Contract(
            "sign-in.password.rejects-wrong",
            "A wrong password fails with `invalidCredentials`, and state and store stay unchanged.",
            appliesTo: .claiming(.password), buildsOn: entering
        ) { w in
            let (person, other) = (try await w.member(), try await w.member())
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            let stored = try await device.contents()
            await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                try await client.signIn(with: .password(email: other.email, password: person.password))
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.contents() == stored, "the store has changed")
        },

        Contract(
            "sign-in.password.unknown-like-wrong",
            "An unknown address has the same result as a wrong password, or is reported as unknown, as declared.",
            appliesTo: .claiming(.password), declares: Declaration("unknownAddressAtSignIn")
        ) { w in
            let client = w.client()
            let expected: AuthError.Code = w.behavior.unknownAddressAtSignIn == .told ? .userNotFound : .invalidCredentials
            await w.refused(expected, of: "an unknown address") { () async throws(AuthError) in
                try await client.signIn(with: w.stranger().credential)
            }
        },

        Contract(
            "sign-in.password.unverified-is-a-step",
            "The right password of an unverified account returns a verification step that can be completed.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox],
            buildsOn: proving + ["sign-up.password.unverified-is-not-signed-in"]
        ) { w in
            let person = w.stranger()
            let device = w.device()
            _ = try await w.challenge(of: person, device.launch())
            if w.environment.backendClock != nil { try await w.advance(by: .seconds(90)) }
            let client = device.launch()
            let step = try await client.signIn(with: person.credential)
            w.expect(step.challenge?.flow.kind == .confirmation, "the sign-in returned \(step.kind)")
            w.expect(client.state.kind == "unverified", "the state is \(client.state.kind)")
            let session = try await w.prove(client, step, of: person)
            w.expect(session.user.email == person.email, "another user was signed in")
        },

        Contract(
            "sign-in.password.disabled", "A disabled account fails with `userDisabled`.", appliesTo: .claiming(.password),
            needs: [.administrator]
        ) { w in
            let person = try await w.member()
            try await w.administrator().disable(w.userID(of: person))
            await w.refused(.userDisabled, of: "a disabled account") { () async throws(AuthError) in
                try await w.client().signIn(with: person.credential)
            }
        },

        Contract(
            "sign-in.password.empty-refused", "An empty address or password is rejected without a request.",
            appliesTo: .claiming(.password), needs: [.trace]
        ) { w in
            let client = w.client()
            try await w.expectRequests(0...0, "an empty sign-in") {
                await w.refused(.invalidEmail, .invalidInput, of: "an empty address") { () async throws(AuthError) in
                    try await client.signIn(with: .password(email: "", password: "Long-enough-9"))
                }
                await w.refused(.invalidInput, of: "an empty password") { () async throws(AuthError) in
                    try await client.signIn(with: .password(email: w.stranger().email, password: ""))
                }
            }
        },

        Contract(
            "sign-in.password.switched-off",
            "A method that the project has disabled fails with `notEnabled`, and state and store stay unchanged.",
            appliesTo: .claiming(.password), needs: [.administrator]
        ) { w in
            let person = try await w.member()
            try await w.administrator().switchOff(.password)
            let device = w.device()
            let client = device.launch()
            await client.restore()
            let (state, stored) = (client.state, try await device.contents())
            await w.refused(.notEnabled, of: "a method that the project has disabled") { () async throws(AuthError) in
                try await client.signIn(with: person.credential)
            }
            w.expect(client.state == state, "the state is \(client.state.kind)")
            w.expect(
                try await device.contents().filter { $0.key.slot == .session } == stored.filter { $0.key.slot == .session },
                "the store has changed")
        },

        Contract(
            "sign-in.replaces-session",
            "A sign-in by a signed-in user replaces the whole session. Neither it nor a later refresh mixes two users.",
            appliesTo: takingPersons, buildsOn: entering
        ) { w in
            let (first, second) = (try await w.member(), try await w.member())
            let device = w.device()
            let client = device.launch()
            let before = try await w.enter(client, first)
            let after = try await w.enter(client, second)
            w.expect(
                after.user.email == second.email && after.user.id != before.user.id,
                "the session does not belong to the second user")
            w.expect(client.state.session?.user.id == after.user.id, "the state contains the first user")
            w.expect(try await client.accessToken() != before.accessToken, "the token belongs to the first user")
            let reloaded = try await client.refreshUser()
            w.expect(reloaded.email == second.email, "the backend returned the first user")
            if w.environment.backendClock != nil {
                try await w.outliveToken(of: after)
                _ = try await client.accessToken()
                let user = client.state.session?.user
                w.expect(
                    user?.email == second.email && user?.displayName == reloaded.displayName, "the refresh mixes the two users")
            }
            let again = device.launch()
            await again.restore()
            w.expect(again.state.session?.user.id == after.user.id, "the store contains the first user")
        },

        Contract(
            "sign-in.link.completes", "A sign-in link signs in the user of a known address.",
            appliesTo: .claiming(.emailLinkSignIn), needs: [.mailbox, .browser], buildsOn: entering
        ) { w in
            var journey = try await w.begin(.emailLink)
            w.expect(try journey.challenge().accepts.contains(.link), "the challenge does not accept a link")
            journey.step = try await w.follow(journey.client, try await w.url(for: journey.address))
            try await journey.expectEnd("the link")
        },

        unknownAddress(
            "sign-in.link.unknown-address",
            "A link for an unknown address creates an account, does nothing, or is reported as unknown, as declared.", by: .link),

        Contract(
            "sign-in.link.address-not-from-url",
            "A link with another address in its URL does not sign in the user of that address.",
            appliesTo: .claiming([.emailLinkSignIn, .password]), needs: [.mailbox, .browser], buildsOn: ["sign-in.link.completes"]
        ) { w in
            let (person, victim) = (try await w.member(), try await w.member())
            let client = w.client()
            _ = try await client.signIn(with: .emailLink(person.email))
            let url = try await w.url(for: person.email).adding("email=\(Percent.encode(victim.email))")
            switch await client.handle(url) {
            case .step(let step):
                w.expect(step.session?.user.email != victim.email, "the link signed in the address from its URL")
            case .refused, .notOurs: break
            }
            w.expect(client.state.session?.user.email != victim.email, "the state contains the address from the link's URL")
        },

        Contract(
            "sign-in.email-code.completes", "An emailed code signs in the user of a known address.",
            appliesTo: .claiming(.emailCodeSignIn), needs: [.mailbox], buildsOn: ["sign-in.password.completes"]
        ) { w in
            var journey = try await w.begin(.emailCode)
            w.expect(try journey.challenge().accepts.contains(.code), "the challenge does not accept a code")
            journey.step = try await journey.respond(.code(try await w.code(for: journey.address))).get()
            try await journey.expectEnd("the code")
        },

        unknownAddress(
            "sign-in.email-code.unknown-address",
            "A code for an unknown address creates an account, does nothing, or is reported as unknown, as declared.", by: .code),

        Contract(
            "sign-in.step.kept", "The client keeps the current step, which survives a relaunch.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities),
            needs: [.mailbox], buildsOn: ["sign-up.password.asks-for-proof"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let step = try await w.unfinishedStep(client)
            w.expect(client.pending == step, "the client did not keep the step")
            let again = device.launch()
            await again.restore()
            w.expect(again.pending == step, "after a relaunch the step is \(again.pending?.kind ?? "none")")
        },

        Contract(
            "sign-in.step.unknown-status",
            "A status that the adapter does not know becomes `.other` with its raw name, and never a crash or a completed "
                + "sign-in.",
            appliesTo: .claiming(.password), needs: [.faults]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            try await w.fail(.signIn, with: .unknownStep("needs_a_dance"), times: 1)
            let step = try await client.signIn(with: person.credential)
            if case .other(let other) = step {
                w.expect(other.status == "needs_a_dance", "the raw name is missing")
            } else {
                w.found("the step for the unknown status is \(step.kind)", line: #line)
            }
            w.expect(client.state.session == nil, "the state is \(client.state.kind)")
        },
    ]

    /// Returns a contract about a sign-in by link or code with an unknown address.
    private static func unknownAddress(_ id: String, _ statement: String, by way: ChallengeResponse.Kind) -> Contract<World> {
        let isLink = way == .link
        return Contract(
            id, statement, appliesTo: .claiming(isLink ? .emailLinkSignIn : .emailCodeSignIn),
            needs: isLink ? [.mailbox, .administrator, .browser] : [.mailbox, .administrator],
            buildsOn: [isLink ? "sign-in.link.completes" : "sign-in.email-code.completes"],
            declares: Declaration("unknownAddressAtLink")
        ) { w in
            let address = w.stranger().email
            let client = w.client()
            let begin = { @Sendable () async throws(AuthError) -> AuthStep in
                if isLink { return try await client.signIn(with: .emailLink(address)) }
                return try await client.signIn(with: .emailCode(address))
            }
            switch w.behavior.unknownAddressAtLink {
            case .likeKnown:
                let step = try await begin()
                w.expect(step.challenge != nil, "the sign-in returned \(step.kind)")
                w.expect(try await w.messages(to: address).isEmpty, "a message was sent")
            case .told:
                await w.refused(.userNotFound, of: "an unknown address") { () async throws(AuthError) in try await begin() }
            case .createsAccount:
                let begun = try await begin()
                let challenge = try w.require(begun.challenge, "the sign-in returned \(begun.kind)")
                let step = try await w.give(client, challenge, to: address, way: way)
                w.expect(step.session?.user.email == address, "the \(way.rawValue) returned \(step.kind)")
            }
            let isKnown = try await w.administrator().users().contains { $0.email == address }
            let isDeclared = w.behavior.unknownAddressAtLink == .createsAccount
            w.expect(isKnown == isDeclared, "the address now has \(isKnown ? "an" : "no") account")
        }
    }
}

extension World {
    /// Returns the person's user id on the backend.
    func userID(of person: Person, line: Int = #line) async throws -> String {
        let users = try await administrator().users()
        return try require(users.first { $0.email == person.email }?.id, "the backend does not know the user", line: line)
    }
}

extension String {
    /// Returns the URL with an additional query parameter.
    func adding(_ parameter: String) -> String {
        let parts = split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let joined = parts[0] + (parts[0].contains("?") ? "&" : "?") + parameter
        return parts.count > 1 ? "\(joined)#\(parts[1])" : String(joined)
    }
}
