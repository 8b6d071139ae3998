internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    private static let asks = ["sign-up.password.asks-for-proof"]

    /// Contracts about links and codes: their purpose, and how long they are valid.
    static let proofs: [Contract<World>] = [
        Contract(
            "verification.code.bound-to-purpose", "A code of one purpose (sign-up, reset) is rejected for the other.",
            appliesTo: .claiming([.password, .confirmationCode, .passwordReset]), when: .proofIsRequired,
            needs: [.mailbox, .clock],
            buildsOn: ["sign-up.password.unverified-is-not-signed-in"] + asks + [
                "verification.code.completes", "verification.code.wrong-refused", "reset.completes",
            ]
        ) { w in
            let (newcomer, person) = (w.stranger(), try await w.member())
            let (joining, forgetful) = (w.client(), w.client())
            let confirmation = try await w.challenge(of: newcomer, joining)
            let step = try await forgetful.requestPasswordReset(email: person.email)
            let reset = try w.require(step.challenge, "the request returned \(step.kind)")
            guard reset.accepts.contains(.code) else { throw NotApplicable("a reset does not accept a code here") }
            let (theirs, ours) = (try await w.code(for: newcomer.email), try await w.code(for: person.email))
            for (client, challenge, code) in [(forgetful, reset, theirs), (joining, confirmation, ours)] {
                await w.refused(.invalidCode, .codeExpired, of: "a code of another purpose") { () async throws(AuthError) in
                    try await client.respond(to: challenge.flow, with: .code(code))
                }
                w.expect(client.state.kind != "signedIn", "the state is \(client.state.kind)")
            }
            let end = try await joining.respond(to: confirmation.flow, with: .code(theirs))
            w.expect(end.session != nil, "for its own purpose the code returned \(end.kind)")
        },

        Contract(
            "verification.link.prefetch",
            "If a scanner loads a link before its owner does, the link stays valid or is used up, as declared. The scanner "
                + "is never signed in, and the owner can still sign in. A poll does not take the scanner for the owner.",
            appliesTo: .claimingAny([.confirmationLink, .poll]), when: .proofIsRequired, needs: [.mailbox, .browser, .clock],
            buildsOn: ["sign-up.password.unverified-is-not-signed-in"] + asks + [
                "verification.link.completes", "verification.poll.sees-it",
            ],
            declares: Declaration("scannedLink")
        ) { w in
            let pollsCount = try await w.pollsAfterScans()
            guard w.can(.password), w.can(.confirmationLink) else {
                if pollsCount == 0 { throw NotApplicable("no link verifies an address here") }
                return
            }
            let person = w.stranger()
            let client = w.client()
            guard try await w.challenge(of: person, client).accepts.contains(.link) else { return }
            let message = try await w.newestMessage(to: person.email)
            let link = try w.require(message.link, "the message contains no link")
            let browser = try w.need(w.environment.browser, "the harness cannot open links")
            for method in [ScanMethod.head, .get, .get] { try await browser.scan(link, method) }
            w.expect(client.state.kind != "signedIn", "after the scanner the state is \(client.state.kind)")
            let url = try await browser.follow(link)
            let outcome = if let url { await client.handle(url) } else { CallbackOutcome.notOurs }
            let isUsable = outcome.session != nil
            w.expect(isUsable == (w.behavior.scannedLink == .stays), "after the scanner the link returned \(outcome.kind)")
            if !isUsable {
                let step: AuthStep
                do throws(AuthError) {
                    step = try await client.signIn(with: person.credential)
                } catch {
                    return w.found("after the scanner the owner's sign-in failed with \(error)", line: #line)
                }
                let session = try await w.prove(client, step, of: person)
                w.expect(session.user.email == person.email, "another user was signed in")
            }
        },

        Contract(
            "verification.link.other-device",
            "A link whose flow started on another device fails with `flowStartedElsewhere` and the remedies, before a "
                + "request, and still works on that device.",
            appliesTo: .claiming([.password, .confirmationLink]), when: .proofIsRequired, needs: [.mailbox, .browser, .trace],
            buildsOn: ["callback.during-restore"] + asks + ["verification.link.completes"]
        ) { w in
            let person = w.stranger()
            let (own, other) = (w.client(), w.client())
            _ = try await w.challenge(of: person, own)
            let url = try await w.url(for: person.email)
            try await w.expectRequests(0...0, "a link of another device's flow") {
                let outcome = await other.handle(url)
                if case .refused(let error) = outcome {
                    w.expect(error.code == .flowStartedElsewhere, "the link failed with \(error.code)")
                    w.expect(!error.remedies.isEmpty, "the error contains no remedy")
                } else {
                    w.found("on another device the link returned \(outcome.kind)", line: #line)
                }
            }
            await w.expectSignedOut(other, "after another device's link")
            let step = try await w.follow(own, url)
            w.expect(
                step.session?.user.email == person.email, "on the device that started the flow, the link returned \(step.kind)")
        },

        Contract(
            "verification.link-and-code-agree", "A link and a code result in the same kind of user, session and events.",
            appliesTo: .claiming([.password, .confirmationCode, .confirmationLink]), when: .proofIsRequired,
            needs: [.mailbox, .browser],
            buildsOn: asks + ["verification.link.completes", "verification.code.completes"]
        ) { w in
            var ends: [[String]] = []
            for way in [ChallengeResponse.Kind.code, .link] {
                let person = w.stranger()
                let client = w.client()
                let challenge = try await w.challenge(of: person, client)
                let before = w.events.all.count
                let session = try w.require(
                    try await w.give(client, challenge, to: person.email, way: way).session,
                    "the \(way) does not complete the flow")
                let told = w.events.all.dropFirst(before).filter { $0.name == .stateChanged }.map { $0.fields["state"] ?? "" }
                ends.append([
                    client.state.kind, "\(session.user.isEmailVerified)", session.assurance.rawValue,
                    "\(session.user.email == person.email)", "\(session.user.displayName == person.name)",
                    "\(session.user.identities.map(\.provider))", told.joined(separator: ","), "\(client.pending == nil)",
                ])
            }
            w.expect(ends[0] == ends[1], "a code results in \(ends[0]), and a link in \(ends[1])")
        },

        Contract(
            "verification.relaunch-each-way",
            "Every step of every flow can be answered after a relaunch with each accepted kind of answer, and the flow "
                + "completes.",
            buildsOn: messageGrounds + [
                "verification.survives-relaunch", "sign-in.oauth.round-trip", "sign-in.passkey.completes",
                "sign-in.second-factor.required", "sign-in.step.new-password", "sign-in.step.more-information",
                "account.factor.enrol-and-remove", "account.sensitive.factor", "sign-in.id-token.new-and-again",
            ]
        ) { w in
            let kinds = w.journeys(among: Journey.Kind.allCases)
            guard !kinds.isEmpty else { throw NotApplicable("no flow of this backend has a pending step") }
            for kind in kinds {
                var taken: Set<ChallengeResponse.Kind> = [.code, .link, .poll]
                for way in [ChallengeResponse.Kind.code, .link, .poll] where taken.contains(way) {
                    guard var journey = try await w.beginIfPossible(kind) else { break }
                    taken = journey.step.accepts.intersection(taken)
                    guard taken.isEmpty || taken.contains(way) else { continue }
                    try await journey.finish(by: way) { journey in try await journey.relaunch() }
                    try await journey.expectEnd("the \(way) after a relaunch")
                }
            }
        },

        Contract(
            "verification.offers-what-comes",
            "The message contains each kind of answer that a challenge accepts, and every challenge accepts at least one kind or reports "
                + "that the flow ends elsewhere.",
            appliesTo: .claiming(.password), needs: [.mailbox, .clock], buildsOn: ["verification.no-dead-end"]
        ) { w in
            func look(_ step: AuthStep, _ address: String, _ what: String) async throws {
                guard let challenge = step.challenge else { return }
                let message = try await w.newestMessage(to: address)
                w.expect(!challenge.accepts.isEmpty || challenge.ending != nil, "\(what) accepts nothing")
                if challenge.accepts.contains(.code) {
                    w.expect(message.code != nil, "\(what) accepts a code, and no code arrived")
                }
                if challenge.accepts.contains(.link) {
                    w.expect(message.link != nil, "\(what) accepts a link, and no link arrived")
                }
            }
            let person = w.stranger()
            let client = w.client()
            let step = try await client.signUp(with: person.credential)
            try await look(step, person.email, "a sign-up")
            if let challenge = step.challenge, challenge.resendAvailableAt != nil {
                try await look(.verify(try await w.sendAgain(client, challenge)), person.email, "a resend")
            }
            let other = w.client()
            if w.can(.passwordReset) {
                let member = try await w.member()
                try await look(try await other.requestPasswordReset(email: member.email), member.email, "a reset")
            }
            if w.can(.emailLinkSignIn) {
                let member = try await w.member()
                try await look(try await other.signIn(with: .emailLink(member.email)), member.email, "a sign-in by link")
            }
            if w.can(.emailCodeSignIn) {
                let member = try await w.member()
                try await look(try await other.signIn(with: .emailCode(member.email)), member.email, "a sign-in by code")
            }
        },
    ]
}

extension World {
    /// Checks each flow that can be polled: after a scanner has loaded its link, a poll reports that nobody has opened it.
    ///
    /// - Returns: The number of such flows.
    fileprivate func pollsAfterScans(line: Int = #line) async throws -> Int {
        let browser = try need(environment.browser, "the harness cannot open links")
        var count = 0
        for kind in journeys() {
            guard var journey = try await beginIfPossible(kind), try journey.challenge().accepts.contains(.poll) else { continue }
            count += 1
            let link = try require(try await newestMessage(to: journey.address).link, "the message contains no link", line: line)
            for method in [ScanMethod.head, .get, .get] { try await browser.scan(link, method) }
            if behavior.scannedLink == .stays {
                let early = await journey.respond(.poll)
                expect(
                    early.failure?.code == .notConfirmedYet, "\(kind): after the scanner the poll returned \(named(early))",
                    line: line)
                journey.expectNoEntry("after the scanner")
            }
            try await journey.finish(by: .poll)
            try await journey.expectEnd("the poll after the scanner")
        }
        return count
    }
}
