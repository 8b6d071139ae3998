internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the captcha that a project may require.
    static let captcha: [Contract<World>] = [
        Contract(
            "sign-up.captcha.step",
            "If the project requires a captcha, a sign-up returns a step that accepts the app's token. A wrong token "
                + "returns to that step, and the right one continues as without a captcha.",
            appliesTo: .claiming([.captcha, .password]), needs: [.administrator, .mailbox],
            buildsOn: entering + ["verification.code.completes"]
        ) { w in
            let token = try await w.administrator().demandCaptcha()
            let person = w.stranger()
            let client = w.client()
            let first = try w.captcha(try await client.signUp(with: person.credential), "the sign-up")
            await w.expectSignedOut(client, "before the captcha")
            w.expect(
                try await w.administrator().users().allSatisfy { $0.email != person.email },
                "an account exists before the captcha")
            let wrong = try w.captcha(
                try await client.respond(to: first.flow, with: .captcha("not-a-token")), "a wrong token")
            w.expect(client.pending?.accepts == [.captcha], "after a wrong token the step is \(client.pending?.kind ?? "none")")
            let step = try await w.pass(client, try await client.respond(to: wrong.flow, with: .captcha(token)), token)
            try await w.expectEntered(client, step, person, token)
        },

        Contract(
            "sign-up.captcha.forgotten",
            "A call that waits for a captcha is only in memory. After a relaunch the step is rejected and removed, and a "
                + "sign-up that the backend rejects after the captcha leaves no step.",
            appliesTo: .claiming([.captcha, .password]), needs: [.administrator, .mailbox],
            buildsOn: ["sign-up.captcha.step", "sign-up.password.weak-refused"]
        ) { w in
            let token = try await w.administrator().demandCaptcha()
            let device = w.device()
            let left = try w.captcha(try await device.launch().signUp(with: w.stranger().credential), "the sign-up")
            let relaunched = device.launch()
            await relaunched.restore()
            await w.refused(.flowNotFound, of: "the captcha after a relaunch") { () async throws(AuthError) in
                try await relaunched.respond(to: left.flow, with: .captcha(token))
            }
            w.expect(relaunched.pending == nil, "after the relaunch the step is \(relaunched.pending?.kind ?? "none")")

            var short = w.stranger()
            short.password = "a"
            let client = w.client()
            let begun = await result(of: { [short] () async throws(AuthError) in try await client.signUp(with: short.credential) }
            )
            guard case .success(let step) = begun else {
                // The backend checks the password before the captcha.
                return w.expect(begun.failure?.code == .weakPassword, "the result of a weak password is \(named(begun))")
            }
            let challenge = try w.captcha(step, "the sign-up")
            await w.refused(.weakPassword, of: "a weak password, after the captcha") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .captcha(token))
            }
            w.expect(client.pending == nil, "after the rejection the step is \(client.pending?.kind ?? "none")")
            await w.expectSignedOut(client, "after the rejection")
        },

        Contract(
            "sign-up.captcha.answer-lost",
            "If the response to a sign-up after the captcha is lost, another captcha continues it, without a second account.",
            appliesTo: .claiming([.captcha, .password]), needs: [.administrator, .mailbox, .faults, .clock],
            buildsOn: ["sign-up.captcha.step"]
        ) { w in
            let faults = try w.need(w.environment.faults, "the harness cannot make requests fail")
            let token = try await w.administrator().demandCaptcha()
            let person = w.stranger()
            let client = w.client()
            let challenge = try w.captcha(try await client.signUp(with: person.credential), "the sign-up")
            try await faults.inject(.answerLost, on: .signUp, skipping: 0, times: 1)
            let lost = await result(of: { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .captcha(token))
            })
            guard let error = lost.failure else { try w.end("a lost response returned \(named(lost))") }
            w.expect(error.retry != .never, "a lost response failed with \(error)")
            let again = try w.require(client.pending?.challenge, "after a lost response no step is pending")
            w.expect(again.accepts == [.captcha], "after a lost response the step does not accept a captcha")
            // A backend may limit how often it sends messages to one address.
            try await w.advance(by: .seconds(90))
            let step = try await w.pass(client, try await client.respond(to: again.flow, with: .captcha(token)), token)
            try await w.expectEntered(client, step, person, token)
            w.expect(
                try await w.administrator().users().filter { $0.email == person.email }.count == 1,
                "the address does not have exactly one account"
            )
        },

        Contract(
            "sign-up.captcha.once",
            "Of two simultaneous answers to a captcha, only one makes the call. There is one account, and the resulting "
                + "step stays.",
            appliesTo: .claiming([.captcha, .password]), needs: [.administrator, .mailbox], buildsOn: ["sign-up.captcha.step"]
        ) { w in
            let token = try await w.administrator().demandCaptcha()
            let person = w.stranger()
            let client = w.client()
            let challenge = try w.captcha(try await client.signUp(with: person.credential), "the sign-up")
            @Sendable func answer() async -> Result<AuthStep, AuthError> {
                await result(of: { () async throws(AuthError) in
                    try await client.respond(to: challenge.flow, with: .captcha(token))
                })
            }
            async let first = answer()
            async let second = answer()
            let ends = await [first, second]
            let steps = ends.compactMap { try? $0.get() }
            let step = try w.require(steps.first, "both answers failed: \(named(ends[0])), \(named(ends[1]))")
            w.expect(steps.count == 1, "both answers made the call")
            for end in ends {
                guard let code = end.failure?.code else { continue }
                w.expect([.responseNotAccepted, .flowNotFound].contains(code), "the other answer ended with \(named(end))")
            }
            try await w.expectEntered(client, step, person, token)
            w.expect(
                try await w.administrator().users().filter { $0.email == person.email }.count == 1,
                "the address does not have exactly one account"
            )
        },

        Contract(
            "sign-up.captcha.identity",
            "In a project with a captcha, a new user can sign up with an ID token or by redirect, whether or not these require the "
                + "captcha.",
            appliesTo: .claiming([.captcha, .password, .idToken]), needs: [.administrator, .issuer],
            buildsOn: ["sign-up.captcha.step", "sign-in.id-token.new-and-again"]
        ) { w in
            let token = try await w.administrator().demandCaptcha()
            func newcomer() -> IdentitySubject {
                IdentitySubject(id: w.environment.randomness.text(12), email: w.stranger().email)
            }
            let (subject, client) = (newcomer(), w.client())
            let credential = try await w.idToken(try w.issuer(), for: subject)
            let step = try await w.pass(client, try await client.signIn(with: credential), token)
            let session = try w.require(step.session, "the ID token of a new user returned \(step.kind)")
            w.expect(session.user.email == subject.email, "the ID token signed in another user")

            guard w.can(.oauth), let page = w.environment.identityPage else { return }
            let (traveller, other) = (newcomer(), w.client())
            let begun = try await w.pass(other, try await other.signIn(with: .oauth(page.provider)), token)
            guard case .redirect(let redirect) = begun else { try w.end("the redirect sign-in returned \(begun.kind)") }
            let back = try await w.follow(other, try await w.consent(to: redirect.url, as: traveller))
            let end = try await w.pass(other, back, token)
            let entered = try w.require(end.session, "the redirect sign-in of a new user returned \(end.kind)")
            w.expect(entered.user.email == traveller.email, "the redirect sign-in signed in another user")
        },

        Contract(
            "sign-in.captcha.step",
            "A project with a captcha requires it for the declared calls, and no other call has such a step. A required "
                + "token is sent with its call.",
            appliesTo: .claiming([.captcha, .password, .passwordReset]), needs: [.administrator, .mailbox],
            buildsOn: ["sign-up.captcha.step", "sign-in.password.completes", "reset.completes"], declares: Declaration("captcha")
        ) { w in
            let (person, stranger) = (try await w.member(), w.stranger())
            let token = try await w.administrator().demandCaptcha()
            let client = w.client()
            let isAsked = w.behavior.captcha == .everyEntry

            let wrong = PasswordCredential(email: person.email, password: stranger.password)
            if isAsked {
                let challenge = try w.captcha(try await client.signIn(with: wrong), "a wrong password")
                await w.refused(.invalidCredentials, of: "a wrong password, after the captcha") { () async throws(AuthError) in
                    try await client.respond(to: challenge.flow, with: .captcha(token))
                }
                w.expect(client.pending == nil, "after the rejection the step is \(client.pending?.kind ?? "none")")
            } else {
                await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                    try await client.signIn(with: wrong)
                }
            }

            let asked = try await client.requestPasswordReset(email: person.email)
            w.expect(
                asked.accepts.contains(.captcha) == isAsked, "a reset returned \(asked.kind), which differs from the declaration")
            let sent = try await w.pass(client, asked, token)
            w.expect(sent.challenge?.channel == .email, "the reset's message returned \(sent.kind)")
            w.expect(try await w.messages(to: person.email).count >= 1, "no reset message arrived")

            let step = try await client.signIn(with: person.credential)
            w.expect(
                step.accepts.contains(.captcha) == isAsked, "a sign-in returned \(step.kind), which differs from the declaration")
            try await w.expectEntered(client, try await w.pass(client, step, token), person, token)
        },
    ]
}

extension World {
    /// Returns the challenge of a step that waits for a captcha.
    fileprivate func captcha(_ step: AuthStep, _ what: String, line: Int = #line) throws -> Challenge {
        guard case .verify(let challenge) = step, challenge.accepts == [.captcha], challenge.channel == .captcha else {
            try end("\(what) returned \(step.kind), expected a captcha", line: line)
        }
        return challenge
    }

    /// Answers the remaining steps, and expects the person to be signed in afterwards.
    fileprivate func expectEntered(
        _ client: any PortableClient, _ first: AuthStep, _ person: Person, _ token: Secret, line: Int = #line
    ) async throws {
        var end = first
        for _ in 0..<3 {
            guard case .verify(let challenge) = end else { break }
            end = try await pass(client, try await give(client, challenge, to: person.email), token)
        }
        let session = try require(end.session, "after the captcha the call returned \(end.kind)", line: line)
        expect(session.user.email == person.email, "after the captcha another user is signed in", line: line)
        expect(client.state.kind == "signedIn", "after the captcha the state is \(client.state.kind)", line: line)
    }

    /// Enters the captcha token until no captcha step is left, because a call with several requests may need several tokens.
    fileprivate func pass(_ client: any PortableClient, _ first: AuthStep, _ token: Secret) async throws -> AuthStep {
        var step = first
        for _ in 0..<3 {
            guard case .verify(let challenge) = step, challenge.accepts == [.captcha] else { break }
            step = try await client.respond(to: challenge.flow, with: .captcha(token))
        }
        return step
    }
}
