internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let asks = ["sign-up.password.asks-for-proof"]

    /// The proof of an address.
    public static let verification: [Contract] = [
        Contract(
            "verification.code.completes", "The code from the message completes the flow.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox], buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.code), "the challenge takes no code")
            let step = try await client.respond(to: challenge.flow, with: .code(try await w.code(for: person.email)))
            let session = try w.require(step.session, "the code leads to \(step.kind)")
            w.expect(session.user.email == person.email && session.user.isEmailVerified, "the address is not proven afterwards")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "verification.link.completes", "The link from the message, opened in the app, completes the flow.",
            appliesTo: .claiming([.password, .confirmationLink]), when: .proofIsRequired, needs: [.mailbox, .browser],
            buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.link), "the challenge takes no link")
            let step = try await w.follow(client, try await w.url(for: person.email))
            let session = try w.require(step.session, "the link leads to \(step.kind)")
            w.expect(session.user.email == person.email && session.user.isEmailVerified, "the address is not proven afterwards")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
        },

        Contract(
            "verification.code.wrong-refused", "A wrong code gives `invalidCode`, and the right one still works.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox],
            buildsOn: asks + ["verification.code.completes"]
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let flow = try await w.challenge(of: person, client).flow
            let right = try await w.code(for: person.email)
            await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                try await client.respond(to: flow, with: .code(right.wrong))
            }
            let step = try await client.respond(to: flow, with: .code(right))
            w.expect(step.session != nil, "the right code leads to \(step.kind)")
        },

        /// Cases: B06, B07.
        Contract(
            "verification.code.attempts-limited",
            "A step takes ten codes at most, given one after another or at once; then it refuses the right one too, without a request, "
                + "until a new message is sent; other users are not affected.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox, .trace, .clock],
            buildsOn: asks + [
                "verification.code.completes", "verification.code.wrong-refused", "verification.resend.newest-works",
            ]
        ) { w in
            let trace = try w.need(w.environment.trace, "requests are not counted")
            for isAtOnce in [false, true] {
                let (person, other) = (w.stranger(), w.stranger())
                let (client, theirs) = (w.client(), w.client())
                let challenge = try await w.challenge(of: person, client)
                let bystanders = try await w.challenge(of: other, theirs)
                let right = try await w.code(for: person.email)
                let guess: @Sendable () async -> Bool = {
                    do throws(AuthError) {
                        _ = try await client.respond(to: challenge.flow, with: .code(right.wrong))
                        return false
                    } catch {
                        return [.invalidCode, .codeExpired].contains(error.code)
                    }
                }
                let start = trace.totals.requests
                w.expect(await guess(), "a wrong code was not refused as such")
                let once = trace.totals.requests - start
                try await w.expectRequests(0...(9 * once), "29 further wrong codes (one takes \(once))") {
                    if isAtOnce {
                        await withTaskGroup(of: Bool.self) { group in
                            for _ in 0..<29 { group.addTask { await guess() } }
                            for await isRefused in group { w.expect(isRefused, "a wrong code was not refused as such") }
                        }
                    } else {
                        for _ in 0..<29 { w.expect(await guess(), "a wrong code was not refused as such") }
                    }
                }
                try await w.expectRequests(0...0, "the right code after thirty wrong ones") {
                    await w.refused(.codeExpired, of: "the right code after thirty wrong ones") { () async throws(AuthError) in
                        try await client.respond(to: challenge.flow, with: .code(right))
                    }
                }
                let theirStep = try await w.give(theirs, bystanders, to: other.email)
                w.expect(theirStep.session != nil, "another user's code leads to \(theirStep.kind)")
                let again = try await w.sendAgain(client, challenge)
                let step = try await w.give(client, again, to: person.email)
                w.expect(step.session != nil, "the code of a new message leads to \(step.kind)")
            }
        },

        /// Cases: B01.
        Contract(
            "verification.code.single-use",
            "A used code is refused as `codeUsed` or `codeExpired`, and the session that it made is untouched.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox],
            buildsOn: asks + ["verification.code.completes", "verification.survives-relaunch"]
        ) { w in
            let person = w.stranger()
            let device = w.device()
            let client = device.launch()
            let flow = try await w.challenge(of: person, client).flow
            let code = try await w.code(for: person.email)
            let twin = device.launch()
            await twin.restore()
            let step = try await client.respond(to: flow, with: .code(code))
            let session = try w.require(step.session, "the code leads to \(step.kind)")
            await w.refused(.codeUsed, .codeExpired, of: "the used code") { () async throws(AuthError) in
                try await twin.respond(to: flow, with: .code(code))
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the stored session is gone")
            _ = try await client.refreshUser()
        },

        /// Cases: B01.
        Contract(
            "verification.link.used",
            "A link opened again after success is refused or gives the same session, as declared, and changes nothing.",
            appliesTo: .claiming([.password, .confirmationLink]), when: .proofIsRequired, needs: [.mailbox, .browser],
            buildsOn: asks + ["verification.link.completes", "verification.survives-relaunch"], declares: Declaration("usedLink")
        ) { w in
            let person = w.stranger()
            let device = w.device()
            let client = device.launch()
            _ = try await w.challenge(of: person, client)
            let message = try await w.newestMessage(to: person.email)
            let twin = device.launch()
            await twin.restore()
            let session = try w.require(
                try await w.follow(client, w.url(of: message)).session, "the link does not complete the flow")
            switch (await twin.handle(try await w.url(of: message)), w.behavior.usedLink) {
            case (.refused(let error), .refused):
                let codes: Set<AuthError.Code> = [.linkUsed, .linkExpired, .linkInvalid]
                w.expect(codes.contains(error.code), "the used link is refused as \(error.code)")
            case (.step(let step), .sameSession):
                w.expect(step.session?.user.id == session.user.id, "the used link leads to \(step.kind)")
            case (.refused(let error), .sameSession): w.found("the used link is refused as \(error.code)", line: #line)
            case (.step(let step), .refused): w.found("the used link is taken and leads to \(step.kind)", line: #line)
            case (.notOurs, _): w.found("the used link is taken for another app's", line: #line)
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the stored session is gone")
        },

        /// Cases: B04.
        Contract(
            "verification.resend.newest-works", "After a resend the newest proof works, and the older one does as declared.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .clock],
            buildsOn: proving + ["verification.code.wrong-refused"],
            declares: Declaration("olderProofAfterResend")
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let first = try await w.challenge(of: person, client)
            let old = try await w.newestMessage(to: person.email)
            let second = try await w.sendAgain(client, first)
            w.expect(try await w.messages(to: person.email).count == 2, "the resend sent no message, or several")
            if w.behavior.olderProofAfterResend == .dies {
                do throws(any Error) {
                    let step = try await w.give(client, second, by: old)
                    w.found("the older proof still works and leads to \(step.kind)", line: #line)
                } catch let error as AuthError {
                    // Which of them it is depends on what the backend still knows of it.
                    // A backend may not tell an older link from one of another device.
                    w.expect(
                        error.code.isRefusalOfProof || error.code == .flowStartedElsewhere,
                        "the older proof is refused as \(error)")
                }
            }
            let step = try await w.give(client, second, to: person.email)
            w.expect(step.session != nil, "the newest proof leads to \(step.kind)")

            guard w.behavior.olderProofAfterResend == .lives else { return }
            let other = w.stranger()
            let theirs = w.client()
            let challenge = try await w.challenge(of: other, theirs)
            let oldest = try await w.newestMessage(to: other.email)
            let again = try await w.sendAgain(theirs, challenge)
            let end = try await w.give(theirs, again, by: oldest)
            w.expect(end.session != nil, "the older proof leads to \(end.kind)")
        },

        /// Cases: B09.
        Contract(
            "verification.resend.too-early",
            "A resend before `resendAvailableAt` gives `tooManyRequests` with the time left, and sends nothing.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox, .trace], buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            let available = try w.require(challenge.resendAvailableAt, "the challenge does not say when it can be sent again")
            w.expect(available > w.clock.now, "the challenge can be sent again at once")
            let error = try await w.expectRequests(0...0, "the refused resend") {
                await w.refused(.tooManyRequests, of: "a resend at once") { () async throws(AuthError) in
                    try await client.resend(challenge.flow)
                }
            }
            if case .after(let left) = error?.retry {
                let real = available - w.clock.now
                w.expect(left >= real - .seconds(5) && left <= real + .seconds(5), "the time left is \(left), and not \(real)")
            } else {
                w.found("the refusal does not tell the time left", line: #line)
            }
            w.expect(try await w.messages(to: person.email).count == 1, "a second message was sent")
        },

        Contract(
            "verification.poll.sees-it",
            "A proof given elsewhere is seen by one poll, the user says verified, one event is sent.",
            appliesTo: .claiming([.password, .poll]), when: .proofIsRequired, needs: [.mailbox, .browser], buildsOn: asks
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let challenge = try await w.challenge(of: person, client)
            w.expect(challenge.accepts.contains(.poll), "the challenge cannot be polled")
            await w.refused(.notConfirmedYet, of: "a poll before the proof") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .poll)
            }
            try await w.confirmElsewhere(person.email)
            let step = try await client.respond(to: challenge.flow, with: .poll)
            let session = try w.require(step.session, "the poll leads to \(step.kind)")
            w.expect(session.user.isEmailVerified, "the user is still unverified")
            w.expect(client.state.kind == "signedIn", "the state is \(client.state.kind)")
            let claim = try await client.session(requiring: .verified).claims["email_verified"]
            w.expect(claim?.bool != false, "the token still says that the address is unproven")
            let told = w.events.all.filter { $0.name == .stateChanged && $0.fields["state"] == "signedIn" }
            w.expect(told.count == 1, "\(told.count) events tell of it")
        },

        Contract(
            "verification.survives-relaunch", "A pending challenge restored by a new client completes.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.mailbox], buildsOn: proving + ["sign-in.step.kept"]
        ) { w in
            let person = w.stranger()
            let device = w.device()
            let before = try await w.challenge(of: person, device.launch())
            let client = device.launch()
            await client.restore()
            let challenge = try w.require(client.pending?.challenge, "the challenge is gone")
            w.expect(challenge.flow.id == before.flow.id, "it is another flow")
            let step = try await w.give(client, challenge, to: person.email)
            w.expect(step.session?.user.email == person.email, "the proof leads to \(step.kind)")
        },

        Contract(
            "verification.proof-kind-refused", "A proof that the challenge does not accept is refused without a request.",
            appliesTo: .claiming(.password), when: .proofIsRequired, needs: [.trace], buildsOn: asks
        ) { w in
            let client = w.client()
            let challenge = try await w.challenge(of: w.stranger(), client)
            let answers: [ChallengeResponse] = [
                .code("123456"), .link(w.environment.callbacks.first?.url ?? "app://callback"), .newPassword("Long-enough-9"),
                .fields([.firstName: "Ada"]), .factor(FactorChoice(id: "1", kind: .phone)),
            ]
            for response in answers where !challenge.accepts.contains(response.kind) {
                try await w.expectRequests(0...0, "the refused \(response.kind)") {
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
    /// Whether it says that a proof is none, or none any more.
    var isRefusalOfProof: Bool {
        [.invalidCode, .codeUsed, .codeExpired, .linkInvalid, .linkUsed, .linkExpired, .flowNotFound, .flowAbandoned].contains(
            self)
    }
}

extension Secret {
    /// A code that is surely another one, of the same form.
    var wrong: Secret {
        Secret(
            String(reveal().map { character in character.wholeNumberValue.map { Character(String(($0 + 1) % 10)) } ?? character })
        )
    }
}
