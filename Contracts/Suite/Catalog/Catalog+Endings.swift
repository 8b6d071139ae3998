internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the end of sessions, and about sessions that must not end.
    public static let endings: [Contract<World>] = [
        ending(
            "session.end.deleted",
            "After its user was deleted, a session ends at the next refresh with the declared reason, and an event "
                + "reports it. Or it continues, as declared.", Declaration("sessionOfDeletedUser"), \.sessionOfDeletedUser
        ) { administrator, user in try await administrator.delete(user) },
        ending(
            "session.end.disabled",
            "After its user was disabled, a session ends at the next refresh with the declared reason, and an event "
                + "reports it. Or it continues, as declared.", Declaration("sessionOfDisabledUser"), \.sessionOfDisabledUser
        ) { administrator, user in try await administrator.disable(user) },
        ending(
            "session.end.revoked",
            "After an administrator has revoked it, a session ends at the next refresh with the declared reason, and "
                + "an event reports it. Or it continues, as declared.", Declaration("endedSession"), \.endedSession
        ) { administrator, user in try await administrator.endSessions(of: user) },
        ending(
            "session.end.credential-changed",
            "After its user got another password, a session ends at the next refresh with the declared reason, and "
                + "an event reports it. Or it continues, as declared.", Declaration("sessionAfterNewPassword"),
            \.sessionAfterNewPassword, appliesTo: .claiming(.password)
        ) { administrator, user in try await administrator.setPassword("An-0ther-Passw0rd!", of: user) },

        Contract(
            "session.sign-out.revocation-queued",
            "If a sign-out cannot reach the backend, the client sends it again when the backend responds, also after a relaunch. This "
                + "signs no user in, and at most sixteen sign-outs are queued.",
            when: .sessionsEnd,
            needs: [.faults, .administrator],
            buildsOn: ["session.sign-out.offline", "session.sign-out.local", "session.restore.same-user"]
        ) { w in
            let (device, other) = (w.device(), w.device())
            let (client, session) = try await w.signedIn(on: device)
            let (running, second) = try await w.signedIn(on: other)
            let key = device.key(.session)
            let bytes = try w.require(await device.stored(.session), "the store contains no session")
            try await w.fail(with: .offline)
            try await running.signOut(discardingAnonymousUser: true)
            try await client.signOut(discardingAnonymousUser: true)
            let one = try w.require(await device.stored(.revocations), "the client stored no note about the sign-out").count
            for _ in 0..<19 {
                // Advance the clock each time, because two sign-outs at the same moment are stored as one.
                w.clock.advance(by: .seconds(1))
                try await device.put(bytes, under: key)
                let again = device.launch()
                await again.restore()
                try await again.signOut(discardingAnonymousUser: true)
            }
            let all = try await device.stored(.revocations)?.count ?? 0
            w.expect(all <= 17 * one, "twenty sign-outs use \(all) bytes, one uses \(one)")
            w.expect(all >= 10 * one, "twenty sign-outs use only \(all) bytes, one uses \(one)")
            try await w.heal()

            let relaunched = device.launch()
            await relaunched.restore()
            w.expect(relaunched.state.session == nil, "a queued sign-out signed in a user: \(relaunched.state.kind)")
            let isSent = try await w.comes { try await device.stored(.revocations) == nil }
            w.expect(isSent, "after a relaunch the client did not send the sign-out")
            w.expect(
                try await !w.administrator().accepts(refreshToken: session.refreshToken), "the backend did not end the session")

            try await w.signIn(running)
            let isHeard = try await w.comes { try await other.stored(.revocations) == nil }
            w.expect(isHeard, "when the backend responded again, the client did not send the sign-out")
            // On other backends this cannot be observed: access tokens stay valid, and the device's token belongs to the new session.
            if w.behavior.accessTokenAfterSignOut == .dies {
                let lives = try await w.administrator().accepts(accessToken: second.accessToken)
                w.expect(!lives, "the backend did not end the session of the client that kept running")
            }
            w.expect(running.state.session?.user.id != nil, "the user who signed in later was signed out")
        },

        Contract(
            "session.backend-changed",
            "A store with another backend's session results in `signedOut(backendChanged)`. One event reports it, at the "
                + "first launch. The session is kept until the user signs out, and none of its tokens is sent.",
            needs: [.trace], buildsOn: ["session.restore.same-user"]
        ) { w in
            let device = w.device()
            _ = try await w.signedIn(on: device)
            let bytes = try w.require(await device.stored(.session), "the store contains no session")
            let former = w.formerKey(.session)
            let moved = w.device()
            try await moved.put(bytes, under: former)
            var client = moved.launch()
            for launch in 1...2 {
                client = moved.launch()
                try await w.expectRequests(0...0, "launch \(launch) with another backend's session") { [client] in
                    await client.restore()
                    await w.refused(.notSignedIn, of: "asking for a token") { () async throws(AuthError) in
                        try await client.accessToken()
                    }
                }
                w.expect(
                    client.state.kind == "signedOut(backendChanged)", "at launch \(launch) the state is \(client.state.kind)")
                let reports = w.events.all.filter { $0.name == .backendChanged || $0.name == .sessionEnded }
                w.expect(
                    reports.map(\.name) == [.sessionEnded, .backendChanged], "after launch \(launch) the events are \(reports)")
            }
            let session = try await w.signIn(client)
            w.expect(client.state.session?.user.id == session.user.id, "no user can sign in: the state is \(client.state.kind)")
            await moved.launch().restore()
            w.expect(try await moved.contents()[former] == bytes, "the store no longer contains the other backend's session")
        },

        Contract(
            "session.reboot",
            "A session that survives a restart of the device with a moved clock is renewed at most once, and an expired "
                + "one is never trusted.",
            needs: [.clock, .trace], buildsOn: ["session.restore.expired-is-not-signed-out", "session.refresh.once-a-life"]
        ) { w in
            let device = w.device()
            var session = try await w.signedIn(on: device).1
            let life = session.lifetime.life
            for shift in [Duration.zero, .seconds(24 * 3600), .seconds(-48 * 3600)] {
                try await w.advance(by: .seconds(2))
                w.clock.reboot()
                w.clock.shiftWall(by: shift)
                let client = device.launch()
                await client.restore()
                w.expect(client.state.session?.user.id == session.user.id, "after a restart the state is \(client.state.kind)")
                try await w.expectRequests(0...2, "the first token after a restart") { _ = try await client.accessToken() }
                try await w.expectRequests(0...0, "the second token after a restart") { _ = try await client.accessToken() }
                let renewed = try w.require(client.state.session, "the state is \(client.state.kind)")
                w.expect(renewed.user.id == session.user.id, "another user is signed in")
                session = renewed
            }
            // The device was off for longer than the token's lifetime, but its clock was set back and hides that.
            try await w.advance(by: life + .seconds(1))
            w.clock.reboot()
            w.clock.shiftWall(by: .zero - life)
            let token = try await device.launch().accessToken()
            w.expect(token != session.accessToken, "the client returned an expired token")
        },
    ]

    /// Returns a contract about an administrator's action and the result of the next refresh.
    private static func ending(
        _ id: String, _ occasion: String, _ declaration: Declaration,
        _ declared: @escaping @Sendable (ProviderBehavior) -> ProviderBehavior.NextRefresh,
        appliesTo debtor: Applicability = .every, line: Int = #line,
        _ act: @escaping @Sendable (any BackendAdministrator, _ userID: String) async throws -> Void
    ) -> Contract<World> {
        Contract(
            id,
            "\(occasion)",
            appliesTo: debtor, needs: [.clock, .administrator], buildsOn: ["session.restore.expired-is-not-signed-out"],
            declares: declaration, line: line
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            try await act(try w.administrator(), session.user.id)
            try await w.outliveToken(of: session)
            try await w.expectNextRefresh(of: client, on: device, session, declared(w.behavior))
        }
    }
}

extension World {
    /// A key of another backend, which no client of this process uses.
    func formerKey(_ slot: StoreKey.Slot) -> StoreKey {
        StoreKey(provider: environment.adapter.name, backend: formerBackend, slot: slot)
    }

    /// The name of a backend that no other check uses.
    var formerBackend: String { "https://former-\(UInt(bitPattern: ObjectIdentifier(self).hashValue)).example.com" }
}
