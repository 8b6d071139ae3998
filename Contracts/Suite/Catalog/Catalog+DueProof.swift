internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about users with an unverified address: the verification stays pending until it is done, and the app gets no token.
    static let dueProof: [Contract<World>] = [
        Contract(
            "session.unverified-token",
            "Before the verification, a call that hands the user's token to the app or to its server is rejected with the challenge and "
                + "without a request. After the verification, it works.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .trace],
            buildsOn: proving + ["sign-up.password.unverified-is-not-signed-in"]
        ) { w in
            let (person, device) = (w.stranger(), w.device())
            let client = device.launch()
            let challenge = try await w.challenge(of: person, client)
            try await w.expectNoToken(client, challenge, "after the sign-up")
            let relaunched = device.launch()
            try await w.expectNoToken(relaunched, challenge, "after a relaunch")
            let session = try await w.prove(relaunched, .verify(challenge), of: person)
            w.expect(try await !relaunched.accessToken().isEmpty, "after the verification the token is empty")
            let user = try await relaunched.session().user.id
            w.expect(user == session.user.id, "after the verification the session belongs to another user")
            let server = AppServer(200)
            _ = try await relaunched.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) }
            w.expect(server.requests.count == 1, "after the verification the server got \(server.requests.count) requests")
        },

        Contract(
            "session.unverified-token.limited",
            "If a session exists before the verification, the client's own calls use its token. With `unverifiedUsers: .allowed`, the app "
                + "gets the token, too, but no verified session.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .clock],
            buildsOn: proving + ["session.unverified-token", "session.user.refresh"]
        ) { w in
            let (person, device) = (w.stranger(), w.device())
            let client = device.launch()
            let challenge = try await w.dueChallenge(of: person, client)
            let session = try w.require(client.state.session, "the session is gone")
            try await w.outliveToken(of: session)
            let user = try await client.refreshUser()
            w.expect(user.id == session.user.id && !user.isEmailVerified, "the reloaded user is \(user)")
            let renewed = try w.require(client.state.session, "the session is gone after the call")
            try await w.outliveToken(of: renewed)
            let liberal = device.launch(with: { $0.unverifiedUsers = .allowed })
            let token = try await liberal.accessToken()
            w.expect(token != renewed.accessToken, "the token is the expired one")
            w.expect(try await liberal.session().accessToken == token, "the session has another token")
            let server = AppServer(200)
            _ = try await liberal.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) }
            w.expect(server.tokens == [token], "the server got \(server.tokens.count) tokens, or another token")
            await w.refused(.verificationRequired, of: "a verified session") { () async throws(AuthError) in
                try await liberal.session(requiring: .verified)
            }
            w.expectDue(challenge, liberal, "after the token")
        },

        Contract(
            "verification.leave.stays-due",
            "If an unverified user has a session, leaving the verification changes nothing: the same challenge is pending, "
                + "its message can be sent again at the same time, and it can be completed.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .clock],
            buildsOn: proving + ["sign-up.password.unverified-is-not-signed-in"]
        ) { w in
            let (person, device) = (w.stranger(), w.device())
            let client = device.launch()
            let challenge = try await w.dueChallenge(of: person, client)
            try await client.cancel(challenge.flow)
            w.expectDue(challenge, client, "after the flow was left")
            await w.refused(.tooManyRequests, of: "an immediate resend") { () async throws(AuthError) in
                try await client.resend(challenge.flow)
            }
            let relaunched = device.launch()
            await relaunched.restore()
            w.expectDue(challenge, relaunched, "after a relaunch")
            let again = try await w.sendAgain(relaunched, challenge)
            let session = try await w.prove(relaunched, .verify(again), of: person)
            w.expect(session.user.email == person.email, "another user was signed in")
            w.expect(relaunched.state.kind == "signedIn", "after the verification the state is \(relaunched.state.kind)")
        },

        Contract(
            "verification.leave.other-flow",
            "If another flow of an unverified user ends without a verification, the verification is pending again, with "
                + "the possible answers and a message that can be sent again.",
            appliesTo: .claiming([.password, .passwordReset]), when: .proofIsRequired, needs: [.mailbox, .clock],
            buildsOn: proving + ["verification.leave.stays-due"]
        ) { w in
            for isRelaunched in [false, true] {
                let (person, device) = (w.stranger(), w.device())
                var client = device.launch()
                let challenge = try await w.dueChallenge(of: person, client)
                // A backend limits how often it sends messages to one address.
                try await w.advance(by: .seconds(90))
                let reset = try await client.requestPasswordReset(email: person.email)
                let flow = try w.require(reset.flow, "the reset returned \(reset.kind)")
                if isRelaunched {
                    client = device.launch()
                    await client.restore()
                }
                try await client.cancel(flow)
                let when = isRelaunched ? "after a reset that a relaunch interrupted" : "after a reset that the user left"
                guard case .unverified(let account) = client.state else {
                    w.found("\(when) the state is \(client.state.kind)", line: #line)
                    continue
                }
                w.expect(
                    account.challenge.accepts == challenge.accepts, "\(when) the challenge accepts \(account.challenge.accepts)")
                w.expect(account.challenge.destination == challenge.destination, "\(when) the challenge is for another address")
                try await w.advance(by: .seconds(90))
                let again = try await w.sendAgain(client, account.challenge)
                w.expect(again.accepts == challenge.accepts, "\(when) the resent challenge accepts \(again.accepts)")
                let session = try await w.prove(client, .verify(again), of: person)
                w.expect(session.user.email == person.email, "\(when) another user was signed in")
            }
        },

        Contract(
            "verification.account-gone",
            "If the account is deleted before its verification, the verification fails with the remedy to start again, and a new "
                + "sign-up with the address can be completed.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .administrator, .clock], buildsOn: proving
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            let administrator = try w.administrator()
            guard let user = try await administrator.users().first(where: { $0.email == person.email }) else {
                throw NotApplicable("an account exists only after the verification here")
            }
            try await administrator.delete(user.id)
            do {
                let step = try await w.give(client, challenge, to: person.email)
                w.found("the verification of a deleted account returned \(step.kind)", line: #line)
            } catch let error as AuthError {
                w.expect(error.remedies.contains(.startAgain), "\(error) does not name the remedy to start again")
            }
            // A backend limits how often it sends messages to one address.
            try await w.advance(by: .seconds(90))
            let session = try await w.prove(client, client.signUp(with: person.credential), of: person)
            w.expect(session.user.email == person.email, "the new sign-up ends with another user")
        },
    ]
}

extension World {
    /// Signs up a new user who gets a session before the verification.
    fileprivate func dueChallenge(
        of person: Person, _ client: any PortableClient, line: Int = #line
    ) async throws -> Challenge {
        let challenge = try await challenge(of: person, client, line: line)
        guard client.state.session != nil else { throw NotApplicable("there is no session before the verification") }
        return challenge
    }

    /// Checks that the client rejects each call that hands out the user's token, with the challenge and without a request.
    fileprivate func expectNoToken(
        _ client: any PortableClient, _ challenge: Challenge, _ when: String, line: Int = #line
    ) async throws {
        let server = AppServer(200)
        let calls: [(String, () async throws -> Void)] = [
            ("accessToken()", { _ = try await client.accessToken() }),
            ("session()", { _ = try await client.session() }),
            (
                "authorized()",
                { _ = try await client.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) } }
            ),
        ]
        for (name, call) in calls {
            try await expectRequests(0...0, "\(name) \(when)", line: line) {
                do {
                    try await call()
                    found("\(name) \(when) hands out a token", line: line)
                } catch let error as AuthError {
                    let flows = error.remedies.compactMap {
                        if case .verify(let challenge) = $0 { challenge.flow.id } else { nil }
                    }
                    expect(error.code == .verificationRequired, "\(name) \(when) failed with \(error)", line: line)
                    expect(flows == [challenge.flow.id], "\(name) \(when) does not name the challenge", line: line)
                }
            }
        }
        expect(server.requests.isEmpty, "\(when) the app's server got a request", line: line)
    }

    /// Checks that the same challenge is still pending.
    fileprivate func expectDue(
        _ challenge: Challenge, _ client: any PortableClient, _ when: String, line: Int = #line
    ) {
        guard case .unverified(let account) = client.state, account.session != nil else {
            return found("\(when) the state is \(client.state.kind)", line: line)
        }
        expect(account.challenge == challenge, "\(when) a different challenge is pending", line: line)
        expect(client.pending?.flow == challenge.flow, "\(when) the step is \(client.pending?.kind ?? "none")", line: line)
    }
}
