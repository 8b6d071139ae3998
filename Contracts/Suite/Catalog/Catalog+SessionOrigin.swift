internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about where the values of a session and of a step come from: the adapter, the backend's user, the two clocks.
    static let sessionOrigin: [Contract<World>] = [
        Contract(
            "session.names-its-adapter",
            "Every session contains its adapter in `provider`: after each sign-in method, a refresh, a reload, a relaunch, "
                + "and a profile change.",
            needs: [.clock],
            buildsOn: proving + entering + [
                "session.restore.same-user", "sign-in.link.completes", "reset.completes", "verification.offers-what-comes",
                "sign-in.anonymous.state",
            ]
        ) { w in
            let name = w.environment.adapter.name
            func look(_ session: Session?, _ when: String) {
                guard let session else { return w.found("\(when) no user is signed in", line: #line) }
                w.expect(
                    session.provider == name,
                    "\(when) the session's provider is \"\(session.provider)\", and the adapter's name is \"\(name)\"")
            }
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            look(session, "after a sign-in")
            look(client.state.session, "in the state after a sign-in")
            if w.can(.displayName) {
                _ = try await client.update(displayName: "Grace Hopper", photoURL: nil)
                look(client.state.session, "after a change of the name")
            }
            _ = try await client.refreshUser()
            look(client.state.session, "after a reload")
            try await w.outliveToken(of: session)
            look(try await client.session(), "after a refresh")
            look(await device.launch().restore().session, "after a relaunch")
            if w.can(.anonymous) {
                look(try await w.client().signIn(with: .anonymous).session, "after an anonymous user's sign-in")
            }
            if w.can(.idToken), let issuer = w.environment.issuer {
                let subject = IdentitySubject(id: w.environment.randomness.text(8))
                look(
                    try await w.client().signIn(with: try await w.idToken(issuer, for: subject)).session,
                    "after a sign-in by an ID token")
            }
            guard w.environment.outbox != nil else { return }
            for kind in w.journeys(among: [.signUp, .emailCode, .emailLink, .reset]) {
                guard var journey = try await w.beginIfPossible(kind) else { continue }
                try await journey.finish()
                look(journey.client.state.session, "\(kind): at the end")
            }
        },

        Contract(
            "session.token.ends",
            "The backend rejects an access token after its lifetime, both after a sign-in and after a refresh.",
            when: .accessTokensEnd, needs: [.administrator, .clock], buildsOn: ["session.restore.same-user"]
        ) { w in
            let administrator = try w.administrator()
            let (client, first) = try await w.signedIn()
            var session = first
            for origin in ["a sign-in", "a refresh"] {
                w.expect(
                    try await administrator.accepts(accessToken: session.accessToken),
                    "the backend rejects the new token of \(origin)"
                )
                // Many servers accept expired tokens for a minute more, because clocks differ.
                try await w.outliveToken(of: session)
                try await w.advance(by: .seconds(60))
                w.expect(
                    try await !administrator.accepts(accessToken: session.accessToken),
                    "the backend accepts the token of \(origin) after its lifetime of \(session.lifetime.life.components.seconds) s"
                )
                session = try await client.session()
            }
        },

        Contract(
            "session.user.verified",
            "`isEmailVerified` is the backend's value: after an administrator has changed it, a reload, a relaunch and a new sign-in have "
                + "the new value, and `session(requiring: .verified)` follows it.",
            needs: [.administrator], buildsOn: entering + ["session.user.refresh"]
        ) { w in
            let (device, person) = (w.device(), w.can(.password) ? try await w.member() : nil)
            let client = device.launch()
            let session = if let person { try await w.enter(client, person) } else { try await w.signIn(client) }
            guard session.user.email != nil else { throw NotApplicable("the users of this backend have no address") }
            w.expect(session.user.isEmailVerified, "the verified user is unverified")
            for isVerified in [false, true] {
                let what = isVerified ? "verified" : "unverified"
                try await w.administrator().setEmailVerified(isVerified, of: session.user.id)
                let user = try await client.refreshUser()
                w.expect(user.id == session.user.id, "a reload returned another user")
                w.expect(user.isEmailVerified == isVerified, "a reload does not return the user as \(what)")
                let current = client.state.session?.user.isEmailVerified
                w.expect(current == isVerified, "after a reload the user in the state is not \(what)")
                let verified = await result(of: { () async throws(AuthError) in try await client.session(requiring: .verified) })
                // A user with another way to sign in needs no verified address.
                let isEnough = user.standing == .verified
                w.expect(verified.isSuccess == isEnough, "a verified session of a user who is \(what): \(named(verified))")
                let again = device.launch()
                await again.restore()
                w.expect(again.state.session?.user.isEmailVerified == isVerified, "after a relaunch the user is not \(what)")
                // A backend may reject an unverified user's password, or return a step. A code would verify the address.
                guard let person else { continue }
                let elsewhere = w.client()
                let entered = await result(of: { () async throws(AuthError) in
                    try await elsewhere.signIn(with: person.credential)
                })
                let other = entered.success?.session ?? elsewhere.state.session
                w.expect(
                    other.map { $0.user.isEmailVerified == isVerified } ?? true,
                    "a sign-in does not return the user as \(what)")
                w.expect(isEnough || elsewhere.state.kind != "signedIn", "an unverified user is signed in")
            }
        },

        Contract(
            "session.restore.other-machine",
            "A session that a machine with a wrong clock has stored is used on another machine until its token ends by the backend's date, "
                + "and is then renewed.",
            needs: [.clock], buildsOn: ["session.restore.same-user", "session.refresh.once-a-life"]
        ) { w in
            let day = Duration.seconds(24 * 3600)
            for (wrong, what) in [(day, "ahead"), (.zero - day, "behind")] {
                for isRenewed in [false, true] {
                    w.clock.shiftWall(by: wrong)
                    let device = w.device()
                    let client = device.launch()
                    var session = try await w.signIn(client)
                    if isRenewed {
                        try await w.outliveToken(of: session)
                        session = try await client.session()
                    }
                    w.clock.shiftWall(by: .zero - wrong)
                    let (early, late) = (try await device.copyFromOtherMachine(), try await device.copyFromOtherMachine())
                    // Two tokens that are issued in the same second can be identical.
                    try await w.advance(by: .seconds(2))
                    w.expect(
                        try await early.launch().accessToken() == session.accessToken,
                        "a valid token of a machine whose clock is \(what) was renewed")
                    let life = session.lifetime.life
                    // By a clock that is ahead, the token arrives only after this time.
                    try await w.advance(by: max(life + .seconds(1), wrong))
                    w.expect(
                        try await late.launch().accessToken() != session.accessToken,
                        "the client returned an expired token of a machine whose clock is \(what)")
                }
            }
        },

        Contract(
            "sign-in.step.device-clock",
            "If the device's clock is wrong by a day, every flow completes, the times of its steps are still times of that clock, and the time "
                + "since the sign-in is right.",
            needs: [.clock], buildsOn: ["session.restore.same-user"] + messageGrounds
        ) { w in
            // The last flow changes the project.
            for kind in w.journeys(among: Journey.Kind.allCases) where kind != .missingFields {
                guard let right = try await w.waits(in: kind) else { continue }
                try await w.withWrongClock { what in
                    let wrong = try await w.waits(in: kind) ?? []
                    w.expect(wrong.count == right.count, "\(kind): on a clock that is \(what) the flow has other steps")
                    for (wrong, right) in zip(wrong, right) {
                        w.expect(
                            Waits.isClose(wrong.end, right.end),
                            "\(kind): on a clock that is \(what) a step ends \(told(wrong.end)), on a right one \(told(right.end))"
                        )
                        w.expect(
                            Waits.isClose(wrong.next, right.next),
                            "\(kind): on a clock that is \(what) the next message is possible \(told(wrong.next)), on a right one "
                                + told(right.next))
                    }
                }
            }
            try await w.withWrongClock { what in
                let age = try await w.signIn(w.client()).timeSinceSignIn(on: w.clock)
                w.expect(
                    age.map { $0 <= .seconds(120) } ?? true,
                    "on a clock that is \(what) the time since the sign-in is \(told(age))")
            }
        },
    ]
}

/// The times of a step, from now on the device's clock.
private struct Waits {
    let end: Duration?
    let next: Duration?

    init(_ challenge: Challenge?, at now: Instant) {
        end = challenge?.expiresAt.map { $0 - now }
        next = challenge?.resendAvailableAt.map { $0 - now }
    }

    static func isClose(_ one: Duration?, _ other: Duration?) -> Bool {
        guard let one, let other else { return one == other }
        return one - other <= .seconds(5) && other - one <= .seconds(5)
    }
}

private func told(_ time: Duration?) -> String { time.map { "in \($0.components.seconds) s" } ?? "at no known time" }

extension World {
    /// Returns the times of every step of a flow, and of its message after it was sent again.
    fileprivate func waits(in kind: Journey.Kind) async throws -> [Waits]? {
        guard var journey = try await beginIfPossible(kind) else { return nil }
        var all = [Waits(journey.step.challenge, at: clock.now)]
        if Journey.Kind.messages.contains(kind), let challenge = journey.step.challenge, challenge.resendAvailableAt != nil {
            all.append(Waits(try await sendAgain(journey.client, challenge), at: clock.now))
        }
        try await journey.finish { all.append(Waits($0.step.challenge, at: $0.world.clock.now)) }
        try await journey.expectEnd("the flow")
        return all
    }

    /// Runs a closure twice: with a device's clock that is a day ahead, and with one that is a day behind.
    fileprivate func withWrongClock(_ body: (_ what: String) async throws -> Void) async throws {
        let day = Duration.seconds(24 * 3600)
        for (shift, what) in [(day, "a day ahead"), (.zero - day, "a day behind")] {
            clock.shiftWall(by: shift)
            try await body(what)
            clock.shiftWall(by: .zero - shift)
        }
    }
}
