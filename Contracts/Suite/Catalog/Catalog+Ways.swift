internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about sign-in by SMS, on an identity provider's page, with a ticket, and with a passkey.
    static let ways: [Contract<World>] = [
        Contract(
            "sign-in.phone-code.completes", "A code by SMS signs in the user of the number, and a wrong code does not.",
            appliesTo: .claiming(.phoneCode), needs: [.mailbox, .administrator]
        ) { w in
            let phone = w.number()
            let userID = try await w.administrator().create(phone: phone)
            let client = w.client()
            let step = try await client.signIn(with: .phoneCode(phone))
            let challenge = try w.require(step.challenge, "the sign-in returned \(step.kind)")
            w.expect(challenge.channel == .sms && challenge.accepts == [.code], "the challenge does not accept a code by SMS")
            w.expect(try await w.messages(to: phone).map(\.channel) == [.sms], "the number did not receive exactly one SMS")
            await w.expectSignedOut(client, "before the code")
            let code = try await w.code(for: phone)
            await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .code(code.wrong))
            }
            let end = try await client.respond(to: challenge.flow, with: .code(code))
            let session = try await w.expectGenuine(end, of: userID, client, "the code")
            w.expect(session.user.phone == phone, "the user's number is \(session.user.phone ?? "missing")")
        },

        Contract(
            "sign-in.phone.malformed-refused",
            "A number that is not in E.164 form fails with `invalidPhone`, and nothing is sent.",
            appliesTo: .claiming(.phoneCode), needs: [.mailbox, .trace]
        ) { w in
            let client = w.client()
            let numbers = [
                "", "15551230000", "0015551230000", "+44 (0)20 7946 0018", "+1555123a000", "+0155512300", "+12345",
                "+1234567890123456",
                "+15551230000,123", "+15551230000,+15551230001", "tel:+15551230000",
            ]
            for number in numbers {
                try await w.expectRequests(0...0, "the number \(number)") {
                    await w.refused(.invalidPhone, of: "the number \(number)") { () async throws(AuthError) in
                        try await client.signIn(with: .phoneCode(number))
                    }
                }
            }
            w.expect(try await w.messageCount() == 0, "a message was sent")
            w.expect(client.pending == nil, "a flow is pending")
        },

        Contract(
            "sign-in.oauth.round-trip",
            "A sign-in with page, callback and exchange results in a session of the provider's user. Another device gets the same user, "
                + "and never another one.",
            appliesTo: .claiming(.oauth), needs: [.identityPage, .administrator], buildsOn: ["sign-in.redirect.page-of-the-web"]
        ) { w in
            let (provider, person) = (try w.identityPage().provider, w.subject())
            let client = w.client()
            let address = try await w.page(client)
            await w.expectSignedOut(client, "before the page")
            let url = try await w.consent(to: address, as: person)
            await w.expectSignedOut(client, "before the callback")
            let step = try await w.follow(client, url)
            let users = try await w.administrator().users()
            let user = try w.require(
                users.first { $0.email == person.email }, "the backend has no user with the provider's address")
            try await w.expectGenuine(step, of: user.id, client, "the callback")
            w.expect(
                step.session?.user.identities.contains { $0.provider == provider } == true,
                "the user has no identity of the provider")

            let elsewhere = w.client()
            let again = try await w.follow(elsewhere, try await w.consent(to: try await w.page(elsewhere), as: person))
            try await w.expectGenuine(again, of: user.id, elsewhere, "the second callback")
            let other = w.client()
            let third = try await w.follow(other, try await w.consent(to: try await w.page(other), as: w.subject()))
            w.expect(
                third.session != nil && third.session?.user.id != user.id,
                "another person of the provider is signed in as the same user")
        },

        Contract(
            "sign-in.oauth.denied",
            "An error of the provider is reported as `providerRefused` with its reason, and an existing session stays.",
            appliesTo: .claiming(.oauth), needs: [.identityPage], buildsOn: ["sign-in.redirect.page-of-the-web"]
        ) { w in
            for isSignedIn in [false, true] {
                let client = w.client()
                let before = isSignedIn ? try await w.signIn(client) : nil
                let url = try await w.refusal(at: try await w.page(client))
                switch await client.handle(url) {
                case .refused(let error):
                    w.expect(error.code == .providerRefused, "the error code of the callback is \(error.code)")
                    w.expect(error.provider?.code?.contains("access_denied") == true, "the error does not contain the reason")
                case .step(let step): w.found("the error callback returned \(step.kind)", line: #line)
                case .notOurs: w.found("the error callback was treated as another app's", line: #line)
                }
                w.expect(client.state.session?.user.id == before?.user.id, "the state is \(client.state.kind)")
            }
        },

        Contract(
            "sign-in.oauth.state-mismatch",
            "A callback of another flow signs no user in. Without a flow on this device, it is rejected before a request. "
                + "With one, the client or the backend rejects it, as declared, and the device's own flow still completes.",
            appliesTo: .claiming(.oauth), needs: [.identityPage, .trace], buildsOn: ["sign-in.oauth.round-trip"],
            declares: Declaration("callbackOfAnotherFlow")
        ) { w in
            let (mallory, person) = (w.subject(), w.subject())
            // Both users already exist, because on some backends the callback of a new user does not identify its flow.
            for one in [mallory, person] {
                let client = w.client()
                _ = try await w.follow(client, try await w.consent(to: try await w.page(client), as: one))
            }
            let foreign = try await w.consent(to: try await w.page(w.client()), as: mallory)
            let bare = w.client()
            try await w.expectRequests(0...0, "a callback without a flow") {
                let outcome = await bare.handle(foreign)
                w.expect(outcome.session == nil, "a callback without a flow returned \(outcome.kind)")
                if case .refused(let error) = outcome {
                    w.expect(
                        [.flowStartedElsewhere, .linkInvalid].contains(error.code), "the callback failed with \(error.code)")
                }
            }
            await w.expectSignedOut(bare, "after a callback without a flow")

            let client = w.client()
            let own = try await w.page(client)
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let before = trace.totals.requests
            let outcome = await client.handle(foreign)
            let isAsked = trace.totals.requests > before
            w.expect(
                isAsked == (w.behavior.callbackOfAnotherFlow == .refusedByBackend),
                "the backend was \(isAsked ? "" : "not ")asked about a callback of another flow")
            w.expect(outcome.session == nil, "a callback of another flow returned \(outcome.kind)")
            await w.expectSignedOut(client, "after a callback of another flow")
            let end = try await w.follow(client, try await w.consent(to: own, as: person))
            w.expect(end.session?.user.email == person.email, "the device's own callback returned \(end.kind), or another user")
        },

        Contract(
            "sign-in.ticket.single-use",
            "A ticket signs its user in, an invented one is rejected, and a used one is rejected or accepted for the same "
                + "user, as declared.",
            appliesTo: .claiming([.ticket, .password]), needs: [.administrator], declares: Declaration("usedTicket")
        ) { w in
            let userID = try await w.userID(of: try await w.member())
            let ticket = try await w.administrator().ticket(for: userID)
            let client = w.client()
            try await w.expectGenuine(try await client.signIn(with: .ticket(ticket)), of: userID, client, "the ticket")
            let other = w.client()
            var refused = [("an invented ticket", Secret("made-up-ticket"))]
            switch w.behavior.usedTicket {
            case .refused: refused.append(("the used ticket", ticket))
            case .taken:
                let again = w.client()
                try await w.expectGenuine(try await again.signIn(with: .ticket(ticket)), of: userID, again, "the used ticket")
            }
            for (what, wrong) in refused {
                await w.refused(.invalidCredentials, of: what) { () async throws(AuthError) in
                    try await other.signIn(with: .ticket(wrong))
                }
                await w.expectSignedOut(other, "after \(what)")
            }
            w.expect(try await client.refreshUser().id == userID, "the session of the ticket ended")
        },

        Contract(
            "sign-in.passkey.completes",
            "A passkey that a user has added signs that user in, and an unknown one is rejected.",
            appliesTo: .claiming([.passkey, .password]), needs: [.passkeys, .administrator], buildsOn: entering
        ) { w in
            let sheet = try w.need(w.environment.passkeys, "the harness cannot create passkeys")
            func options(_ step: AuthStep) throws -> (Flow, JSON) {
                let challenge = try w.require(step.challenge, "the passkey returned \(step.kind)")
                w.expect(challenge.accepts == [.passkey], "the challenge does not accept a passkey")
                return (
                    challenge.flow, try w.require(challenge.passkeyOptions, "the challenge has no options for the passkey sheet")
                )
            }
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let client = w.client()
            try await w.enter(client, person)
            let (adding, creation) = try options(try await client.link(.passkey))
            let added = try await client.respond(to: adding, with: .passkey(try await sheet.create(creation, of: userID)))
            w.expect(added.session?.user.id == userID, "adding the passkey returned \(added.kind), or another user")

            let other = w.client()
            let (flow, request) = try options(try await other.signIn(with: .passkey))
            await w.expectSignedOut(other, "before the passkey")
            let end = try await other.respond(to: flow, with: .passkey(try await sheet.sign(request, as: userID)))
            try await w.expectGenuine(end, of: userID, other, "the passkey")

            let thief = w.client()
            let (strange, theirs) = try options(try await thief.signIn(with: .passkey))
            let signed = try await sheet.sign(theirs, as: "another-user")
            await w.refused(.invalidCredentials, of: "a passkey that no user has") { () async throws(AuthError) in
                try await thief.respond(to: strange, with: .passkey(signed))
            }
            await w.expectSignedOut(thief, "after a passkey that no user has")
        },
    ]
}
