internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about results that must not reveal whether an address is known, and about links of strangers.
    static let alike: [Contract<World>] = [
        Contract(
            "privacy.same-in-everything",
            "If unknown and known addresses are declared to have the same result, they have the same step, challenge "
                + "fields, error code, words, remedies, provider code, status, and number of requests.",
            appliesTo: takingPersons, needs: [.mailbox, .trace],
            buildsOn: [
                "sign-in.link.unknown-address", "sign-in.email-code.unknown-address", "reset.unknown-address",
                "sign-in.password.unknown-like-wrong",
                "sign-up.password.known-address",
            ] + entering,
            declares: Declaration("unknownAddressAtSignIn")
        ) { w in
            var compared = 0
            func compare(
                _ what: String, if isAlike: Bool, line: Int = #line,
                by call: @Sendable (any PortableClient, Person) async throws(AuthError) -> AuthStep
            ) async throws {
                guard isAlike else { return }
                compared += 1
                // Use new addresses each time, because a backend may send only one message a minute to an address.
                let (known, unknown) = (try await w.member(), w.stranger())
                let (ours, theirs) = (try await w.look(at: known, by: call), try await w.look(at: unknown, by: call))
                for (left, right) in zip(ours, theirs) {
                    w.expect(
                        left == right,
                        "\(what) reveals that an address is known by \(left); for an unknown address it is \(right)",
                        line: line)
                }
                w.expect(
                    ours.count == theirs.count, "\(what) has different results for a known and an unknown address", line: line)
            }
            let wrong = w.stranger().password
            try await compare("a sign-in", if: w.can(.password) && w.behavior.unknownAddressAtSignIn == .likeKnown) {
                client, person async throws(AuthError) in
                try await client.signIn(with: .password(email: person.email, password: wrong))
            }
            try await compare("a reset", if: w.can(.passwordReset) && w.behavior.unknownAddressAtReset == .likeKnown) {
                client, person async throws(AuthError) in
                try await client.requestPasswordReset(email: person.email)
            }
            try await compare("a sign-in by link", if: w.can(.emailLinkSignIn) && w.behavior.unknownAddressAtLink != .told) {
                client, person async throws(AuthError) in
                try await client.signIn(with: .emailLink(person.email))
            }
            try await compare("a sign-in by code", if: w.can(.emailCodeSignIn) && w.behavior.unknownAddressAtLink != .told) {
                client, person async throws(AuthError) in
                try await client.signIn(with: .emailCode(person.email))
            }
            let isHiddenWithoutAccount = w.behavior.unknownAddressWithoutAccount == .likeKnown
            try await compare("a code that must not create an account", if: w.can(.emailCodeSignIn) && isHiddenWithoutAccount) {
                client, person async throws(AuthError) in
                try await client.signIn(with: .emailCode(person.email, createsAccount: false))
            }
            let isHidden =
                w.can(.password) && w.behavior.knownAddressAtSignUp == .sameAsNew && w.behavior.signUpProof == .required
            try await compare("a sign-up", if: isHidden) { client, person async throws(AuthError) in
                try await client.signUp(with: .password(email: person.email, password: wrong))
            }
            if compared == 0 { throw NotApplicable("every call of the backend reveals known addresses") }
        },

        Contract(
            "callback.foreign-sign-in",
            "A link of a stranger's flow, opened on a device without a flow, signs no user in and sends nothing.",
            appliesTo: .claiming([.emailLinkSignIn, .password]), needs: [.mailbox, .browser, .trace],
            buildsOn: ["callback.during-restore"] + ["sign-in.link.completes"]
        ) { w in
            let mallory = try await w.member()
            let hers = w.client()
            _ = try await hers.signIn(with: .emailLink(mallory.email))
            let url = try await w.url(for: mallory.email)
            let bare = w.client()
            let (signedIn, session) = try await w.signedIn()
            for client in [bare, signedIn] {
                try await w.expectRequests(0...0, "a stranger's link") {
                    let outcome = await client.handle(url)
                    if case .refused(let error) = outcome {
                        w.expect(error.code == .flowStartedElsewhere, "a stranger's link failed with \(error.code)")
                    } else {
                        w.found("a stranger's link returned \(outcome.kind)", line: #line)
                    }
                }
            }
            await w.expectSignedOut(bare, "after a stranger's link")
            w.expect(
                signedIn.state.session?.user.id == session.user.id, "after a stranger's link the state is \(signedIn.state.kind)")
        },

        Contract(
            "callback.no-downgrade",
            "Tokens in the fragment or the query of a link sign no user in, regardless of the pending flow.",
            appliesTo: .claiming(.password), needs: [.mailbox, .trace], buildsOn: entering
        ) { w in
            let mallory = try await w.enter(w.client(), try await w.member())
            let tokens = Percent.encodeForm([
                (name: "access_token", value: mallory.accessToken.reveal()),
                (name: "refresh_token", value: mallory.refreshToken.reveal()), (name: "expires_in", value: "3600"),
                (name: "token_type", value: "bearer"), (name: "type", value: "signup"),
            ])
            var clients = [w.client()]
            if w.can(.passwordReset) {
                let client = w.client()
                _ = try await client.requestPasswordReset(email: try await w.member().email)
                clients.append(client)
            }
            if w.can(.emailLinkSignIn) {
                let client = w.client()
                _ = try await client.signIn(with: .emailLink(try await w.member().email))
                clients.append(client)
            }
            if w.can(.oauth), let page = w.environment.identityPage {
                let client = w.client()
                _ = try await client.signIn(with: .oauth(page.provider))
                clients.append(client)
            }
            for client in clients {
                for address in ["\(try w.callback())#\(tokens)", try w.callback().adding(tokens)] {
                    let outcome = await client.handle(address)
                    w.expect(outcome.session == nil, "a link with tokens returned \(outcome.kind)")
                    w.expect(client.state.session == nil, "after a link with tokens the state is \(client.state.kind)")
                }
            }
        },
    ]
}

extension World {
    /// Returns everything that a call reveals: its step or error, and the number of its requests.
    ///
    /// The address itself is left out.
    fileprivate func look(
        at person: Person, by call: @Sendable (any PortableClient, Person) async throws(AuthError) -> AuthStep
    ) async throws -> [String] {
        let trace = try need(environment.trace, "the harness does not count requests")
        let before = trace.totals.requests
        let client = client()
        func left(_ end: Instant?) -> String {
            end.map { "\(Int((($0 - clock.now) / .seconds(1)).rounded()))" } ?? "none"
        }
        var told: [String] = []
        do throws(AuthError) {
            let step = try await call(client, person)
            told = ["the step \(step.kind)", "the accepted answers \(step.accepts.sorted())"]
            if let challenge = step.challenge {
                let isMasked = challenge.destination.isEmpty || challenge.destination == EmailAddress.masked(person.email)
                told += [
                    "the channel \(challenge.channel)", "the flow \(challenge.flow.kind) of \(challenge.flow.capability)",
                    isMasked ? "a masked address" : "a destination that is not the masked address",
                    "the expiry \(left(challenge.expiresAt))", "the resend time \(left(challenge.resendAvailableAt))",
                    "the remaining attempts \(challenge.attemptsLeft.map(String.init) ?? "none")",
                    "where the flow ends: \(String(describing: challenge.ending))",
                    "options for the passkey sheet: \(challenge.passkeyOptions != nil)",
                ]
            }
        } catch {
            told = [
                "the code \(error.code)", "the message \(error.message)", "the remedies \(error.remedies)",
                "the retry advice \(error.retry)",
                "the reasons \(error.reasons)", "the completed parts: \(error.completed)",
                "the provider's code \(error.provider?.code ?? "none")", "the provider's status \(error.provider?.status ?? 0)",
            ]
        }
        return told + ["the state \(client.state.kind)", "\(trace.totals.requests - before) requests"]
    }
}
