internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// The contracts that every flow with a message depends on.
    static let messageGrounds =
        proving + entering + [
            "sign-in.email-code.completes", "sign-in.link.completes", "sign-in.phone-code.completes", "reset.completes",
            "account.email.needs-proof",
        ]

    /// Contracts about the code or link in a message, for every purpose.
    ///
    /// The purposes are a sign-up, a new device, a reset, a sign-in by email or SMS, and a change of address.
    static let messages: [Contract<World>] = [
        Contract(
            "verification.code.wrong-refused",
            "A wrong code fails with `invalidCode` for every purpose, and the right one still works.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox], buildsOn: messageGrounds
        ) { w in
            try await w.forEachFlow(accepting: .code) { journey, _ in
                let right = try await w.code(for: journey.address)
                let wrong = await journey.settled(await journey.respond(.code(right.wrong)))
                w.expect(wrong.failure?.code == .invalidCode, "\(journey.kind): the result of a wrong code is \(named(wrong))")
                journey.expectNoEntry("after a wrong code")
                try await journey.finish(by: .code)
                try await journey.expectEnd("the right code")
            }
        },

        Contract(
            "verification.code.expires",
            "A code works one second before its expiry, and fails with `codeExpired` one second after it, for every purpose.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .clock],
            buildsOn: messageGrounds + ["sign-up.password.unverified-is-not-signed-in"]
        ) { w in
            for isLate in [false, true] {
                try await w.forEachFlow(accepting: .code) { journey, _ in
                    let end = try w.require(
                        try journey.challenge().expiresAt, "\(journey.kind): the challenge does not contain its expiry")
                    let code = try await w.code(for: journey.address)
                    try await w.advance(by: end - w.clock.now + .seconds(isLate ? 1 : -1))
                    let given = await journey.settled(await journey.respond(.code(code)))
                    if isLate {
                        w.expect(
                            given.failure?.code == .codeExpired,
                            "\(journey.kind): the result of an expired code is \(named(given))")
                        journey.expectNoEntry("after the expired code")
                    } else {
                        w.expect(
                            // After so much time, a change of address may end the session or require another sign-in.
                            given.isSuccess
                                || [.sessionRevoked, .reauthenticationRequired].contains(given.failure?.code)
                                    && journey.kind == .emailChange,
                            "\(journey.kind): a second before its expiry the result of the code is \(named(given))")
                    }
                }
            }
        },

        Contract(
            "verification.link.expires",
            "A link fails with `linkExpired` one second after its expiry and signs no user in, for every purpose.",
            appliesTo: takingLinks, needs: [.mailbox, .browser, .clock],
            buildsOn: messageGrounds + ["sign-up.password.unverified-is-not-signed-in"]
        ) { w in
            var isKnown = false
            try await w.forEachFlow(accepting: .link) { journey, _ in
                guard let end = try journey.challenge().expiresAt else { return }
                isKnown = true
                try await w.advance(by: end - w.clock.now + .seconds(1))
                let message = try await w.newestMessage(to: journey.address)
                let given = await journey.settled(try await journey.prove(with: message, by: .link))
                w.expect(
                    given.failure?.code == .linkExpired, "\(journey.kind): the result of an expired link is \(named(given))")
                journey.expectNoEntry("after the expired link")
            }
            if !isKnown { throw NotApplicable("the backend does not report when links expire") }
        },

        Contract(
            "verification.code.bound-to-address",
            "A code or link of one person is rejected in the flow of another person and still works in its own, for every "
                + "purpose.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox],
            buildsOn: messageGrounds + [
                "sign-up.password.unverified-is-not-signed-in", "verification.code.wrong-refused",
                "verification.link.other-device",
            ]
        ) { w in
            try await w.forEachFlow(accepting: .code, .link) { ada, way in
                let eve = try await w.begin(ada.kind)
                let message = try await w.newestMessage(to: ada.address)
                // Open the link only once, because the page may use it up.
                let url = way == .link ? try await w.url(of: message) : ""
                func give(_ journey: Journey) async throws -> Result<AuthStep, AuthError> {
                    way == .link ? await journey.open(url) : try await journey.prove(with: message, by: .code)
                }
                let foreign = await eve.settled(try await give(eve))
                let codes: Set<AuthError.Code> = way == .code ? [.invalidCode] : [.flowStartedElsewhere, .linkInvalid]
                // If a change of address needs two links, the backend's page accepts the first and reports only that to the app.
                let isHalf =
                    if case .success(let step) = foreign { ada.kind == .emailChange && step.session == nil } else { false }
                w.expect(
                    foreign.failure.map { codes.contains($0.code) } ?? isHalf,
                    "\(ada.kind): the result of another person's \(way) is \(named(foreign))")
                eve.expectNoEntry("after another person's \(way)")
                try ada.go(on: try await give(ada))
                try await ada.finish(by: way)
                try await ada.expectEnd("the person's own \(way)")
            }
        },

        Contract(
            "verification.code.single-use",
            "A used code is rejected and its result stays unchanged, for every purpose.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox],
            buildsOn: messageGrounds + ["verification.survives-relaunch"]
        ) { w in
            try await w.forEachFlow(accepting: .code) { journey, way in try await w.expectSpent(&journey, by: way) }
        },

        Contract(
            "verification.link.used",
            "A link that is opened again after success is rejected or returns the same session, as declared, and changes "
                + "nothing, for every purpose.",
            appliesTo: takingLinks, needs: [.mailbox, .browser],
            buildsOn: messageGrounds + ["verification.survives-relaunch"], declares: Declaration("usedLink")
        ) { w in
            try await w.forEachFlow(accepting: .link) { journey, way in try await w.expectSpent(&journey, by: way) }
        },

        Contract(
            "verification.resend.newest-works",
            "A message that is sent again has the same kind, and its code or link works. The older one has the declared "
                + "result, for every purpose.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .clock],
            buildsOn: messageGrounds + ["verification.code.wrong-refused", "sign-up.password.unverified-is-not-signed-in"],
            declares: Declaration("olderProofAfterResend")
        ) { w in
            for kind in w.journeys() {
                guard var journey = try await w.beginIfPossible(kind) else { continue }
                guard try journey.challenge().resendAvailableAt != nil else { continue }
                let old = try await journey.sendAgain()
                if w.behavior.olderProofAfterResend == .dies {
                    let late = await journey.settled(try await journey.prove(with: old, by: journey.preferredWay))
                    // The error code depends on what the backend still knows about the message.
                    // A backend may not distinguish an older link from a link of another device.
                    w.expect(
                        late.failure.map { $0.code.isRefusalOfProof || $0.code == .flowStartedElsewhere } ?? false,
                        "\(kind): the result of the older code or link is \(named(late))")
                    journey.expectNoEntry("after the older code or link")
                }
                try await journey.finish()
                try await journey.expectEnd("the newest code or link")
                guard w.behavior.olderProofAfterResend == .lives, var other = try await w.beginIfPossible(kind) else { continue }
                let oldest = try await other.sendAgain()
                try other.go(on: try await other.prove(with: oldest, by: other.preferredWay))
                try await other.finish()
                try await other.expectEnd("the older code or link")
            }
        },

        Contract(
            "verification.names-the-recipient",
            "A challenge contains the channel of its message and the masked recipient, also after the message was sent again.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox], buildsOn: messageGrounds
        ) { w in
            for kind in w.journeys(among: Journey.Kind.messages + [.secondFactor]) {
                guard var journey = try await w.beginIfPossible(kind) else { continue }
                try await journey.chooseMessage()
                guard let challenge = journey.step.challenge, [.email, .sms].contains(challenge.channel) else { continue }
                try await journey.expectRecipient(of: challenge, "the challenge")
                guard let next = challenge.resendAvailableAt, w.environment.backendClock != nil else { continue }
                if next > w.clock.now { try await w.advance(by: next - w.clock.now + .seconds(1)) }
                try await journey.expectRecipient(of: try await journey.client.resend(challenge.flow), "the resent challenge")
            }
        },
    ]
}

extension World {
    /// Checks that a code or link is rejected after it was accepted once.
    fileprivate func expectSpent(_ journey: inout Journey, by way: ChallengeResponse.Kind, line: Int = #line) async throws {
        let kind = journey.kind
        let message = try await newestMessage(to: journey.address, line: line)
        var twin = await journey.twin()
        twin.person.password = stranger().password
        try await journey.finish(by: way, line: line)
        let again = await twin.settled(try await twin.prove(with: message, by: way, line: line))
        switch again {
        case .success(let step):
            // The user's own session may verify the user's current address again, which changes nothing.
            let isDeclared = way == .link && behavior.usedLink == .sameSession || kind == .emailChange
            expect(
                isDeclared && step.session?.user.id == journey.step.session?.user.id,
                "\(kind): the used \(way) returned \(step.kind)", line: line)
        case .failure(let error):
            let isOver = journey.hasEnded && error.code == .sessionRevoked
            expect(
                // The error code depends on what the backend or this device still knows about the code or link.
                error.code.isRefusalOfProof && (kind != .signUp || error.code != .invalidCode) || isOver,
                "\(kind): the used \(way) failed with \(error.code)", line: line)
            expect(
                way != .link || kind != .signUp || behavior.usedLink == .refused,
                "\(kind): the used \(way) failed with \(error.code), declared is that it is accepted", line: line)
        }
        try await journey.expectEnd("the first use of the \(way)", line: line)
        guard !journey.hasEnded else { return }
        expect(try await journey.device.hasStoredSession(), "\(kind): the store no longer contains the session", line: line)
        _ = try await journey.client.refreshUser()
    }
}

extension Journey {
    /// The preferred kind of response to the current step.
    fileprivate var preferredWay: ChallengeResponse.Kind {
        [.code, .link].first { step.accepts.contains($0) } ?? .poll
    }

    /// Waits until a resend is allowed, and requests one.
    ///
    /// - Returns: The older message.
    fileprivate mutating func sendAgain(line: Int = #line) async throws -> SentMessage {
        let (first, old) = (try challenge(line: line), try await world.newestMessage(to: address, line: line))
        let count = try await world.messages(to: address).count
        let second = try await world.sendAgain(client, first, line: line)
        let sent = try await world.messages(to: address)
        world.expect(sent.count == count + 1, "\(kind): the resend sent \(sent.count - count) messages", line: line)
        world.expect(
            second.flow.id == first.flow.id && second.accepts == first.accepts,
            "\(kind): the challenge of the resend is different", line: line)
        if second.accepts.contains(.code) {
            world.expect(sent.last?.code != nil, "\(kind): the message of the resend contains no code", line: line)
        }
        step = .verify(second)
        return old
    }

    /// Chooses a second factor whose codes arrive in messages, if the user has such a factor.
    fileprivate mutating func chooseMessage() async throws {
        guard case .secondFactor(let second) = step, let factor, factor.phone != nil,
            let choice = second.choices.first(where: { $0.kind == factor.kind })
        else { return }
        addresses = [factor.phone ?? ""]
        step = try await respond(.factor(choice)).get()
    }

    /// Checks the channel and recipient that a challenge reports for its message.
    fileprivate func expectRecipient(of challenge: Challenge, _ what: String, line: Int = #line) async throws {
        let message = try await world.newestMessage(to: address, line: line)
        let isSMS = message.channel == .sms
        world.expect(
            challenge.channel == (isSMS ? .sms : .email), "\(kind): the channel of \(what) is \(challenge.channel)", line: line)
        let masked = isSMS ? PhoneCodeCredential.masked(address) : EmailAddress.masked(address)
        world.expect(
            challenge.destination == masked, "\(kind): \(what) contains the recipient \(challenge.destination)", line: line
        )
    }
}
