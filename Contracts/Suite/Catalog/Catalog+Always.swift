internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the invariants that `Watch` checks during every contract.
    ///
    /// Here, one user makes most of the calls.
    public static let always: [Contract<World>] = [
        Contract(
            Invariant.secretsStayInside.id,
            "In every contract: no error, event, reflection or app field of a user contains a password, code, token, link, key or "
                + "ticket of the run.",
            needs: [.trace], buildsOn: walking
        ) { w in
            try await w.walk()
            try w.sees(.secretsStayInside)
        },

        Contract(
            Invariant.tokenIsTaken.id,
            "In every contract: when the client returns a token, the backend accepts this token.",
            needs: [.administrator, .clock], buildsOn: walking + ["session.token.ends"]
        ) { w in
            let (client, session) = try await w.signedIn()
            // Check several times during the life of the first token and of a refreshed token.
            // The last checks are just before the client would renew the token.
            for life in [session.lifetime.life, try await w.renewedLife(client)] {
                var passed = Duration.zero
                for part in [15, 30, 60, 80, 88, 93, 97] {
                    let next = life / 100 * part
                    try await w.advance(by: next - passed)
                    passed = next
                    _ = try await client.session()
                }
                try await w.advance(by: life)
                _ = try await client.accessToken()
            }
            try w.sees(.tokenIsTaken)
        },

        Contract(
            Invariant.oneUser.id,
            "In every contract: only a sign-in changes the user id of a session, and the id is the one that the backend gave to the user.",
            needs: [.administrator], buildsOn: walking + ["reset.completes", "sign-up.password.asks-for-proof"]
        ) { w in
            try await w.walk()
            let (client, session) = try await w.signedIn()
            _ = try await w.signedIn()
            if w.environment.backendClock != nil { try await w.outliveToken(of: session) }
            w.expect(try await client.session().user.id == session.user.id, "a refresh returned another user")
            w.expect(try await client.refreshUser().id == session.user.id, "a reload returned another user")
            try w.sees(.oneUser)
        },

        Contract(
            Invariant.sentOnce.id, "In every contract: no call sends a request twice, unless the request only reads.",
            needs: [.trace],
            buildsOn: walking + ["session.sign-out.only-this"]
        ) { w in
            try await w.walk()
            try w.seesRequests()
        },

        Contract(
            Invariant.observed.id,
            "In every contract: two events report every request, one before it and one after it, during its call.",
            needs: [.trace],
            buildsOn: walking + ["session.sign-out.offline"]
        ) { w in
            try await w.walk()
            try w.seesRequests()
        },

        Contract(
            Invariant.addressesCarryNone.id,
            "In every contract: no URL of a request contains a password, code, token or ticket of the run.",
            needs: [.trace], buildsOn: walking
        ) { w in
            try await w.walk()
            try w.seesRequests()
        },

        Contract(
            Invariant.waitsTellTruth.id,
            "In every contract: `expiresAt` and `resendAvailableAt` of every challenge differ from the backend's times by at most five seconds.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.clock, .mailbox, .proofTimes],
            buildsOn: walking + ["sign-up.password.asks-for-proof"]
        ) { w in
            let client = w.client()
            let step = try await w.unfinishedStep(client)
            let challenge = try w.require(step.challenge, "the step is \(step.kind)")
            if let next = challenge.resendAvailableAt {
                try await w.advance(by: next - w.clock.now + .seconds(1))
                _ = try await client.resend(challenge.flow)
            }
            try w.sees(.waitsTellTruth)
        },
    ]

    private static let walking = [
        "sign-in.password.completes", "sign-in.password.rejects-wrong", "session.restore.same-user",
        "verification.link.completes", "verification.code.completes", "verification.no-dead-end",
    ]
}

extension World {
    /// Makes most of the calls as one user.
    func walk() async throws {
        let device = self.device()
        guard can(.password) else {
            let (client, session) = try await signedIn(on: device)
            try await use(client, session)
            return
        }
        let person = stranger()
        let client = device.launch()
        if environment.outbox != nil || behavior.signUpProof == .automatic {
            try await prove(client, client.signUp(with: person.credential, displayName: person.name), of: person)
        } else {
            try await enter(client, member())
        }
        _ = try? await client.signIn(with: .password(email: person.email, password: stranger().password))
        if let session = client.state.session { try await use(client, session) }
        if can(.passwordReset), environment.outbox != nil { try await resetBadly(member()) }
        try await client.signOut(discardingAnonymousUser: true)
        let again = device.launch()
        await again.restore()
    }

    private func use(_ client: any PortableClient, _ session: Session) async throws {
        // Some backends let users add a factor only soon after a sign-in.
        if can(.factorEnrolment) { _ = try? await client.addFactor(.authenticatorApp()) }
        if environment.backendClock != nil { try await outliveToken(of: session) }
        _ = try await client.session()
        _ = try await client.refreshUser()
        if can(.displayName) { _ = try await client.update(displayName: "Grace Hopper", photoURL: nil) }
    }

    /// Resets a password with a wrong code, a weak password and a good one, so that the watch sees the rejected values.
    private func resetBadly(_ person: Person) async throws {
        let client = client()
        guard let challenge = try await client.requestPasswordReset(email: person.email).challenge else { return }
        if challenge.accepts.contains(.code) { _ = try? await client.respond(to: challenge.flow, with: .code("000000")) }
        guard let step = try? await give(client, challenge, to: person.email), case .newPassword(let asked) = step else { return }
        // A weak password that is long enough for the watch to find it.
        _ = try? await client.respond(to: asked.flow, with: .newPassword("aaaa-b"))
        _ = try? await client.respond(to: asked.flow, with: .newPassword(stranger().password))
    }

    /// Refreshes the session and returns the lifetime of the new token.
    func renewedLife(_ client: any PortableClient) async throws -> Duration {
        let session = try await client.session()
        try await outliveToken(of: session)
        return try await client.session().lifetime.life
    }

    /// Checks that the watch has examined something for this invariant.
    ///
    /// Otherwise the contract would show nothing.
    ///
    /// - Throws: An ``EnvironmentError`` if no control showed anything to examine.
    func sees(_ always: Invariant) throws {
        if watch.looks(always) == 0 { throw EnvironmentError("no control shows the data that \(always.id) checks") }
    }

    /// Checks that the requests can be examined after the check.
    ///
    /// - Throws: An ``EnvironmentError`` if the trace does not show each request.
    func seesRequests() throws {
        if environment.trace?.requests?.isEmpty != false {
            throw EnvironmentError("the trace does not contain every request")
        }
    }
}
