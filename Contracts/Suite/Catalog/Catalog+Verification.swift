internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let asks = ["sign-up.password.asks-for-proof"]

    /// Contracts about the verification of an address.
    public static let verification: [Contract<World>] = [
        Contract(
            "verification.code.completes", "The code from the message completes the flow.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox], buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.code), "the challenge does not accept a code")
            let step = try await client.respond(to: challenge.flow, with: .code(try await w.code(for: person.email)))
            let session = try w.require(step.session, "the code returned \(step.kind)")
            w.expect(session.user.email == person.email && session.user.isEmailVerified, "the address is not verified afterwards")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "verification.code.as-typed",
            "A code is accepted in the form in which a person types it: digits of any script, spaces, hyphens and "
                + "zero-width marks.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox],
            buildsOn: ["verification.code.completes"]
        ) { w in
            for spelling in TypedSpelling.allCases {
                let person = w.stranger()
                let client = w.client()
                let challenge = try await w.challenge(of: person, client)
                let typed = spelling.spelled(try await w.code(for: person.email).reveal())
                let outcome = await result(of: { () async throws(AuthError) in
                    try await client.respond(to: challenge.flow, with: .code(typed))
                })
                w.expect(outcome.success?.session != nil, "the result of a code in \(spelling.rawValue) is \(named(outcome))")
            }
        },

        Contract(
            "verification.link.completes", "The link from the message, opened in the app, completes the flow.",
            appliesTo: .claiming([.password, .confirmationLink]), when: .proofIsRequired, needs: [.mailbox, .browser],
            buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.link), "the challenge does not accept a link")
            let step = try await w.follow(client, try await w.url(for: person.email))
            let session = try w.require(step.session, "the link returned \(step.kind)")
            w.expect(session.user.email == person.email && session.user.isEmailVerified, "the address is not verified afterwards")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "verification.code.attempts-limited",
            "A step accepts at most ten codes, one after another or at the same time. Then it rejects even the right one, "
                + "without a request, until a new message is sent. Other users are not affected.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .trace, .clock],
            buildsOn: messageGrounds + ["verification.code.wrong-refused", "verification.resend.newest-works"]
        ) { w in
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let kind = try w.firstMessageFlow()
            for isAtOnce in [false, true] {
                var (journey, bystander) = (try await w.begin(kind), try await w.begin(kind))
                let (client, challenge) = (journey.client, try journey.challenge())
                guard challenge.accepts.contains(.code) else { throw NotApplicable("no flow of this backend accepts a code") }
                let right = try await w.code(for: journey.address)
                let guess: @Sendable () async -> Bool = {
                    do throws(AuthError) {
                        _ = try await client.respond(to: challenge.flow, with: .code(right.wrong))
                        return false
                    } catch {
                        return [.invalidCode, .codeExpired].contains(error.code)
                    }
                }
                let start = trace.totals.requests
                w.expect(await guess(), "a wrong code did not fail with `invalidCode`")
                let once = trace.totals.requests - start
                try await w.expectRequests(0...(9 * once), "29 further wrong codes (one sends \(once) requests)") {
                    if isAtOnce {
                        await withTaskGroup(of: Bool.self) { group in
                            for _ in 0..<29 { group.addTask { await guess() } }
                            for await isRefused in group { w.expect(isRefused, "a wrong code did not fail with `invalidCode`") }
                        }
                    } else {
                        for _ in 0..<29 { w.expect(await guess(), "a wrong code did not fail with `invalidCode`") }
                    }
                }
                try await w.expectRequests(0...0, "the right code after thirty wrong ones") {
                    await w.refused(.codeExpired, of: "the right code after thirty wrong ones") { () async throws(AuthError) in
                        try await client.respond(to: challenge.flow, with: .code(right))
                    }
                }
                try await bystander.finish()
                try await bystander.expectEnd("another user's code")
                journey.step = .verify(try await w.sendAgain(client, challenge))
                try await journey.finish()
                try await journey.expectEnd("the code of a new message")
            }
        },

        Contract(
            "verification.resend.too-early",
            "A resend before `resendAvailableAt` fails with `tooManyRequests` and the remaining time, and sends nothing.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .trace], buildsOn: messageGrounds
        ) { w in
            let journey = try await w.begin(try w.firstMessageFlow())
            let (client, challenge) = (journey.client, try journey.challenge())
            let available = try w.require(
                challenge.resendAvailableAt, "the challenge does not contain the time of the next resend")
            w.expect(available > w.clock.now, "the challenge allows a resend immediately")
            let error = try await w.expectRequests(0...0, "the rejected resend") {
                await w.refused(.tooManyRequests, of: "an immediate resend") { () async throws(AuthError) in
                    try await client.resend(challenge.flow)
                }
            }
            if case .after(let left) = error?.retry {
                let real = available - w.clock.now
                w.expect(
                    left >= real - .seconds(5) && left <= real + .seconds(5), "the remaining time is \(left), expected \(real)")
            } else {
                w.found("the error does not contain the remaining time", line: #line)
            }
            w.expect(try await w.messages(to: journey.address).count == 1, "a second message was sent")
        },

        Contract(
            "verification.poll.sees-it",
            "One poll detects a verification on another device: the user is verified, and one event is sent.",
            appliesTo: .claiming([.password, .poll]), when: .proofIsRequired, needs: [.mailbox, .browser], buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.poll), "the client cannot poll the challenge")
            await w.refused(.notConfirmedYet, of: "a poll before the verification") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .poll)
            }
            try await w.confirmElsewhere(person.email)
            let step = try await client.respond(to: challenge.flow, with: .poll)
            let session = try w.require(step.session, "the poll returned \(step.kind)")
            w.expect(session.user.isEmailVerified, "the user is still unverified")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
            let claim = try await client.session(requiring: .verified).claims["email_verified"]
            w.expect(claim?.bool != false, "the token still contains an unverified address")
            let told = w.events.all.filter { $0.name == .stateChanged && $0.fields["state"] == "signedIn" }
            w.expect(told.count == 1, "\(told.count) events report it")
        },

        Contract(
            "verification.survives-relaunch", "A new client restores a pending challenge and completes it.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox],
            buildsOn: messageGrounds + ["sign-in.step.kept"]
        ) { w in
            var journey = try await w.begin(try w.firstMessageFlow())
            try await journey.relaunch()
            try await journey.finish()
            try await journey.expectEnd("the answer after a relaunch")
        },

        Contract(
            "verification.proof-kind-refused",
            "An answer of a kind that the challenge does not accept is rejected without a request.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.trace], buildsOn: messageGrounds
        ) { w in
            let journey = try await w.begin(try w.firstMessageFlow())
            let (client, challenge) = (journey.client, try journey.challenge())
            let answers: [ChallengeResponse] = [
                .code("123456"), .link(w.environment.callbacks.first?.url ?? "app://callback"), .newPassword("Long-enough-9"),
                .fields([.firstName: "Ada"]), .factor(FactorChoice(id: "1", kind: .phone)),
            ]
            for response in answers where !challenge.accepts.contains(response.kind) {
                try await w.expectRequests(0...0, "the rejected \(response.kind)") {
                    await w.refused(.responseNotAccepted, of: "an answer of the kind \(response.kind)") {
                        () async throws(AuthError) in
                        try await client.respond(to: challenge.flow, with: response)
                    }
                }
            }
        },
    ]
}

extension AuthError.Code {
    /// Whether the error reports that a code or link is invalid or no longer valid.
    var isRefusalOfProof: Bool {
        [.invalidCode, .codeUsed, .codeExpired, .linkInvalid, .linkUsed, .linkExpired, .flowNotFound, .flowAbandoned].contains(
            self)
    }
}

extension Secret {
    /// A wrong code with the same number of digits.
    var wrong: Secret {
        Secret(
            String(reveal().map { character in character.wholeNumberValue.map { Character(String(($0 + 1) % 10)) } ?? character })
        )
    }
}
