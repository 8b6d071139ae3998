internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the provider that a session names, and about the time for which the backend accepts its token.
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
    ]
}
