internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

extension Catalog {
    /// Contracts about deadlines: each call ends by its deadline, and a later result is neither lost nor returned as the response.
    static let deadlines: [Contract<World>] = [
        Contract(
            "session.deadline.deaf-adapter", "A call ends by its deadline even if the adapter ignores cancellation.",
            buildsOn: ["session.user.refresh", "session.deadline"]
        ) { w in
            let gate = Gate()
            let client = w.device().launch { changes in
                changes.instead = { call, _ throws(AuthError) in
                    if call == .reload { await gate.pass() }
                    return nil
                }
            }
            let session = try await w.signIn(client)
            try await w.endsByItsDeadline("refreshing the user", at: gate) { () async throws(AuthError) in
                _ = try await client.refreshUser()
            }
            let caller = Task { await result(of: { () async throws(AuthError) in try await client.refreshUser() }) }
            w.expect(try await w.comes { gate.arrivals == 2 }, "the client did not call the adapter")
            caller.cancel()
            let cancelled = await w.soon { await caller.value }
            w.expect(cancelled?.failure?.code == .cancelled, "a cancelled caller waited for the adapter")
            gate.open()
            w.expect(try await client.refreshUser().id == session.user.id, "the client does not work afterwards")
        },

        Contract(
            "session.deadline.late-tokens",
            "New tokens that arrive after the deadline are kept, because the old ones may be used up.",
            needs: [.clock], buildsOn: ["session.deadline.deaf-adapter", "session.token.single-flight"]
        ) { w in
            let (gate, isLate) = (Gate(), Switch())
            let device = w.device()
            let client = device.launch { changes in
                changes.answering = { call, _, _, response throws(AuthError) in
                    if call == .refresh, isLate.isOn { await gate.pass() }
                    return response
                }
            }
            let session = try await w.signIn(client)
            try await w.outliveToken(of: session)
            isLate.turn(on: true)
            try await w.endsByItsDeadline("asking for a token", at: gate) { () async throws(AuthError) in
                _ = try await client.accessToken()
            }
            w.expect(client.state.session?.accessToken == session.accessToken, "the tokens arrived before the deadline")
            gate.open()
            let isKept = try await w.comes {
                client.state.session?.lifetime != session.lifetime && client.state.session?.user.id == session.user.id
            }
            w.expect(isKept, "the client discarded the late tokens")
            let stored = await device.launch().restore().session
            w.expect(stored == client.state.session, "the store contains different tokens")
            try await w.outliveToken(of: session)
            w.expect(try await !client.accessToken().isEmpty, "the session cannot be refreshed afterwards")
        },

        Contract(
            "session.deadline.late-sign-in",
            "A sign-in whose response arrives after the deadline signs no user in, and its session is ended on the backend.",
            appliesTo: .claiming(.password), when: Condition("the backend trusts a new device") { $0.newDevice == .trusted },
            needs: [.administrator], buildsOn: entering + ["session.deadline.deaf-adapter", "session.sign-out.local"]
        ) { w in
            let person = try await w.member()
            let gate = Gate()
            let late = Mutex<Session?>(nil)
            let device = w.device()
            let client = device.launch { changes in
                changes.answering = { call, _, _, response throws(AuthError) in
                    late.withLock { $0 = response }
                    if call == .flow { await gate.pass() }
                    return response
                }
            }
            try await w.endsByItsDeadline("a sign-in", at: gate) { () async throws(AuthError) in
                _ = try await client.signIn(with: person.credential)
            }
            gate.open()
            let session = try w.require(late.withLock { $0 }, "the backend returned no session")
            let administrator = try w.administrator()
            if w.behavior.accessTokenAfterSignOut == .dies {
                let ends = try await w.comes { try await !administrator.accepts(accessToken: session.accessToken) }
                w.expect(ends, "the late session is still valid")
            }
            // This check comes last because it may use up the refresh token.
            if w.behavior.refreshTokenAfterSignOut != .lives {
                let ends = try await w.comes { try await !administrator.accepts(refreshToken: session.refreshToken) }
                w.expect(ends, "the late session's refresh token is still valid")
            }
            w.expect(client.state.session == nil, "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store contains the late session")
            try await w.enter(w.client(), person)
        },

        Contract(
            "session.deadline.store",
            "If the store hangs, every call ends by its deadline, and calls work again when the store responds.",
            buildsOn: ["session.restore.same-user", "session.user.refresh", "session.unavailable-heals", "session.deadline"]
        ) { w in
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            let gate = Gate()
            device.disk.suffers(.hanging(gate))
            let client = device.launch()
            let restoring = Task { await client.restore() }
            let state = try await w.ended(restoring, "restoring", at: gate)
            w.expect(state.kind == "unavailable", "the restored state is \(state.kind)")
            for (name, call) in w.callsOnAStore(client) {
                let task = Task { await result(of: call) }
                let outcome = try await w.ended(task, name, at: gate)
                let codes: Set<AuthError.Code> = [.timedOut, .storeUnavailable]
                w.expect(outcome.failure.map { codes.contains($0.code) } == true, "\(name) ended with \(outcome)")
            }
            device.disk.suffers(nil)
            gate.open()
            w.expect(
                try await w.comes(each: .seconds(1)) { client.state.session != nil }, "the client did not read the store again")
            w.expect(try await client.refreshUser().id == session.user.id, "the client does not work afterwards")
        },
    ]
}

extension World {
    fileprivate func callsOnAStore(
        _ client: any PortableClient
    ) -> [(String, @Sendable () async throws(AuthError) -> Void)] {
        [
            ("asking for a token", { () async throws(AuthError) in _ = try await client.accessToken() }),
            ("refreshing the user", { () async throws(AuthError) in _ = try await client.refreshUser() }),
            (
                "a sign-in",
                { [self] () async throws(AuthError) in _ = try await client.signIn(with: stranger().credential) }
            ),
        ]
    }
}
