internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about sign-ins without a password whose request fails or whose response is lost.
    static let signInFaults: [Contract<World>] = [
        signInFault("email-code", "a code in an email", .emailCode, .emailCodeSignIn, [.mailbox]),
        signInFault("email-link", "a link in an email", .emailLink, .emailLinkSignIn, [.mailbox, .browser]),
        signInFault("phone-code", "a code in an SMS", .phoneCode, .phoneCode, [.mailbox, .administrator]),
        signInFault("page", "the page of an identity provider", .oauth, .oauth, [.identityPage]),
        signInFault("id-token", "an ID token", .idToken, .idToken, [.issuer]),
        signInFault("ticket", "a ticket", .ticket, .ticket, [.administrator]),
        signInFault("passkey", "a passkey", .passkey, .passkey, [.passkeys]),
    ]

    /// Cases: F02, F05.
    private static func signInFault(
        _ id: String, _ words: String, _ kind: Journey.Kind, _ claim: Capability, _ needs: Set<Need>
    ) -> Contract<World> {
        Contract(
            "sign-in.fault.\(id)",
            "If a request of a sign-in by \(words) fails, before or after the backend has handled it, no call sends it again by itself. "
                + "The same answer or a new start then signs in the same user.",
            appliesTo: .claiming(claim), needs: needs.union([.faults, .clock]),
            buildsOn: messageGrounds + ["sign-in.oauth.round-trip"]
        ) { w in
            guard !w.journeys(among: [kind]).isEmpty, try await w.beginIfPossible(kind) != nil else {
                throw NotApplicable("the harness cannot create a user who signs in by \(words)")
            }
            for fault in [Fault.status(503, retryAfter: nil), .answerLost] {
                var skipped = 0
                while skipped < 10, try await w.signsIn(kind, despite: fault, skipping: skipped) { skipped += 1 }
                w.expect(skipped > 0, "no request of a sign-in by \(words) fails after \(fault)")
            }
        }
    }
}

extension World {
    /// Checks a sign-in in which one request fails.
    ///
    /// - Returns: Whether a request has failed.
    fileprivate func signsIn(
        _ kind: Journey.Kind, despite fault: Fault, skipping skipped: Int, line: Int = #line
    ) async throws -> Bool {
        var journey = try await prepared(kind, line: line)
        // A backend limits how often it sends messages to one address.
        try await advance(by: .seconds(90))
        let what = "\(kind), \(fault) at request \(skipped + 1):"
        func expectFault(_ error: AuthError) {
            let codes: Set<AuthError.Code> = fault == .answerLost ? [.network, .timedOut] : [.serverUnavailable]
            expect(codes.contains(error.code) && error.retry != .never, "\(what) the call failed with \(error)", line: line)
        }
        var hasFailed = false
        try await fail(with: fault, skipping: skipped, times: 1)
        do {
            journey.step = try await firstStep(of: &journey, line: line)
        } catch let error as AuthError {
            expectFault(error)
            hasFailed = true
            try await heal()
            try await startAgain(&journey, line: line)
        }
        for _ in 0..<4 where journey.step.session == nil && !hasFailed {
            let answer = try await journey.repeatableAnswer(line: line)
            switch await answer() {
            case .success(let next): journey.step = next
            case .failure(let error):
                expectFault(error)
                hasFailed = true
                try await heal()
                switch await answer() {
                case .success(let next): journey.step = next
                case .failure(let error):
                    // The backend has accepted the answer, or an earlier request of the call has used it up.
                    let isSpent = error.code.isRefusalOfProof || error.code == .flowStartedElsewhere
                    expect(isSpent, "\(what) the same answer failed with \(error)", line: line)
                    try await startAgain(&journey, line: line)
                }
            }
        }
        try await heal()
        try await journey.finish(line: line)
        try await journey.expectEnd("\(what) the repetition", line: line)
        return hasFailed
    }

    private func startAgain(_ journey: inout Journey, line: Int) async throws {
        try await advance(by: .seconds(90))
        journey.step = try await firstStep(of: &journey, line: line)
    }
}

extension Journey {
    /// Returns the answer to the current step, which can be given twice.
    fileprivate func repeatableAnswer(line: Int) async throws -> @Sendable () async -> Result<AuthStep, AuthError> {
        if case .redirect(let redirect) = step {
            let subject = try world.require(self.subject, "\(kind): the flow opened a page, which was not expected", line: line)
            let url = try await world.consent(to: redirect.url, as: subject, line: line)
            return { [self] in await open(url) }
        }
        let challenge = try challenge(line: line)
        if challenge.accepts.contains(.passkey) {
            let passkey = try await signed(challenge, line: line)
            return { [self] in await respond(passkey) }
        }
        let proof = try await world.proof(client, challenge, to: address, line: line)
        return { await result(of: proof) }
    }
}
