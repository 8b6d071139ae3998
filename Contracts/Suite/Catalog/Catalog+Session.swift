internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about sessions: how they are restored, how tokens are returned, and how users sign out.
    public static let session: [Contract<World>] = [
        Contract(
            "session.restore.same-user", "A relaunch shows `restoring`, then the same user, without a request.", needs: [.trace]
        ) { w in
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            try await w.expectRequests(0...0, "the relaunch") {
                let client = device.launch()
                w.expect(client.state == .restoring, "before the client read the store, the state is \(client.state.kind)")
                let state = await client.restore()
                w.expect(state.session?.user.id == session.user.id, "the restored state is \(state.kind)")
                w.expect(client.state == state, "the current state differs from the restored one")
            }
        },

        Contract(
            "session.restore.expired-is-not-signed-out", "An expired session that can be refreshed is never shown as signed out.",
            needs: [.clock], buildsOn: ["session.restore.same-user", "session.events.order"]
        ) { w in
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            try await w.outliveToken(of: session)
            let client = device.launch()
            let states = client.states
            await client.restore()
            w.expect(client.state.session?.user.id == session.user.id, "the restored state is \(client.state.kind)")
            w.expect(try await !client.accessToken().isEmpty, "the token is empty")
            w.expect(client.state.session?.user.id == session.user.id, "after the refresh the state is \(client.state.kind)")
            let seen = await w.soon {
                await states.prefix { $0.session == nil && $0 == .restoring }.reduce(into: 0) { count, _ in count += 1 }
            }
            w.expect(seen == 1, "after `restoring`, a subscriber saw something else than the session")
        },

        Contract("session.token.valid-needs-no-request", "A valid token is returned without a request.", needs: [.trace]) { w in
            let (client, session) = try await w.signedIn()
            try await w.expectRequests(0...0, "asking for a valid token") {
                for _ in 0..<3 {
                    w.expect(try await client.accessToken() == session.accessToken, "the client returned another token")
                }
                _ = try await client.session()
            }
        },

        Contract(
            "session.token.single-flight", "100 callers on an expired session cause one refresh and get one result.",
            needs: [.clock, .trace], buildsOn: ["session.token.valid-needs-no-request"]
        ) { w in
            let (client, session) = try await w.signedIn()
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            try await w.outliveToken(of: session)
            let before = trace.totals.requests
            _ = try await client.accessToken()
            let one = trace.totals.requests - before
            w.expect(one >= 1, "the client returned an expired token without a request")

            try await w.outliveToken(of: session)
            try await w.expectRequests(one...one, "100 callers (one caller sends \(one) requests)") {
                let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
                    for _ in 0..<100 { group.addTask { try await client.accessToken() } }
                    return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
                }
                w.expect(tokens.count == 1, "the callers got \(tokens.count) different tokens")
            }
        },

        Contract(
            "session.token.cancel-one", "A cancelled caller gets its cancellation, and the other callers get their token.",
            needs: [.clock, .faults]
        ) { w in
            let (client, session) = try await w.signedIn()
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .hang, times: 1)
            let impatient = Task { await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            try await w.untilHanging(1)
            let patient = Task { await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            impatient.cancel()
            let first = await w.soon { await impatient.value }
            w.expect(first?.failure?.code == .cancelled, "the cancelled caller got \(first.map(named) ?? "no response")")
            try await w.release()
            let second = await w.soon { await patient.value }
            w.expect(second?.failure == nil && second != nil, "the other caller got \(second.map(named) ?? "no response")")
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
        },

        Contract(
            "session.refresh.after-sign-out", "A refresh that returns after a sign-out is discarded.", needs: [.clock, .faults],
            buildsOn: ["session.sign-out.local"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .hang, times: 1)
            let caller = Task { await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            try await w.untilHanging(1)
            try await client.signOut(discardingAnonymousUser: true)
            try await w.release()
            let late = await w.soon { await caller.value }
            w.expect(late?.failure != nil, "the late caller got \(late.map(named) ?? "no response")")
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store contains a session again")
        },

        Contract(
            "session.sign-out.local", "A sign-out clears the store and ends the session on the backend, as declared.",
            needs: [.administrator, .clock], declares: Declaration("accessTokenAfterSignOut")
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            let administrator = try w.administrator()
            w.expect(
                try await administrator.accepts(accessToken: session.accessToken),
                "the backend does not accept the token of a session")
            try await client.signOut(discardingAnonymousUser: true)
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store still contains the session")
            let access = try await administrator.accepts(accessToken: session.accessToken)
            w.expect(
                access == (w.behavior.accessTokenAfterSignOut != .dies),
                "the access token is \(access ? "still valid" : "no longer valid")")
            let refresh = try await administrator.accepts(refreshToken: session.refreshToken)
            w.expect(
                refresh == (w.behavior.refreshTokenAfterSignOut != .dies),
                "the refresh token is \(refresh ? "still valid" : "no longer valid")")
            if w.behavior.accessTokenAfterSignOut == .livesUntilExpiry {
                try await w.outliveToken(of: session)
                w.expect(
                    try await !administrator.accepts(accessToken: session.accessToken),
                    "the access token is valid after its expiry")
            }
        },

        Contract(
            "session.sign-out.offline", "A sign-out succeeds without a network.", needs: [.faults],
            buildsOn: ["session.sign-out.local"]
        ) { w in
            let device = w.device()
            let (client, _) = try await w.signedIn(on: device)
            try await w.fail(with: .offline)
            try await client.signOut(discardingAnonymousUser: true)
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store still contains the session")
        },

        Contract(
            "session.events.order", "Every subscriber sees the current state first, then every change once, in order."
        ) { w in
            let device = w.device()
            let client = device.launch()
            let early = client.states
            await client.restore()
            let other = try await w.signedIn(on: device).1
            let twin = device.launch()
            let late = twin.states
            await twin.restore()
            try await twin.signOut(discardingAnonymousUser: true)
            let first = await w.soon { await early.prefix(2).reduce(into: []) { $0.append($1.kind) } }
            w.expect(first == ["restoring", "signedOut(neverSignedIn)"], "the first subscriber saw \(first ?? [])")
            let second = await w.soon { await late.prefix(3).reduce(into: []) { $0.append($1.kind) } }
            let expected = ["restoring", other.user.isAnonymous ? "anonymous" : "signedIn", "signedOut(requested)"]
            w.expect(second == expected, "the second subscriber saw \(second ?? [])")
            let third = await w.soon { await twin.states.prefix(1).reduce(into: []) { $0.append($1.kind) } }
            w.expect(third == ["signedOut(requested)"], "a late subscriber saw \(third ?? [])")
        },

        Contract(
            "session.events.slow",
            "A subscriber that does not read for a while finds a limited number of changes with the newest last, and other "
                + "subscribers miss no change.",
            needs: [.administrator], buildsOn: ["session.events.order", "session.user.refresh"]
        ) { w in
            let (client, session) = try await w.signedIn()
            let (slow, quick) = (client.states, client.states)
            let administrator = try w.administrator()
            let names = (0..<40).map { "Renamed \($0)" }
            for name in names {
                try await administrator.rename(session.user.id, to: name)
                _ = try await client.refreshUser()
                // A subscriber that reads gets each change before the next one.
                let hears = await w.soon { await quick.contains { $0.session?.user.displayName == name } }
                guard hears == true else { return w.found("the subscriber that reads missed a change", line: #line) }
            }
            let found = await w.soon { () -> [String?] in
                var found: [String?] = []
                for await state in slow {
                    found.append(state.session?.user.displayName)
                    if found.last == names.last { break }
                }
                return found
            }
            w.expect(found != nil, "the last change did not arrive")
            w.expect((found?.count ?? 0) <= 32, "\(found?.count ?? 0) changes were kept for a subscriber that does not read")
            w.expect(found.map { $0 == Array(names.suffix($0.count)) } == true, "the changes arrived in another order")
        },

        Contract(
            "session.events.reentrant", "Calling the client from its own event handler does not deadlock.",
            appliesTo: takingPersons, buildsOn: entering
        ) { w in
            let person = try await w.member()
            let client = w.client()
            let calls = Slot<Task<Secret?, Never>>()
            w.events.listen { event in
                guard event.name == .stateChanged else { return }
                _ = client.state
                _ = client.pending
                guard client.state.session != nil else { return }
                calls.fill(Task { try? await client.accessToken() })
            }
            let entered = await w.soon { () -> Bool in
                do { return try await w.enter(client, person).user.email == person.email } catch { return false }
            }
            w.expect(entered == true, "the sign-in did not end")
            let token = await w.soon { await calls.value?.value }
            w.expect((token ?? nil) != nil, "the call from the handler did not end")
        },

        Contract(
            "session.user.refresh",
            "After `refreshUser()`, the user has the changes that an administrator has made.",
            needs: [.administrator]
        ) { w in
            let (client, session) = try await w.signedIn()
            let name = "Renamed \(w.environment.randomness.text(6))"
            try await w.administrator().rename(session.user.id, to: name)
            let user = try await client.refreshUser()
            w.expect(user.displayName == name, "the user has the old name")
            w.expect(client.state.session?.user.displayName == name, "the state has the old name")
        },

        Contract(
            "session.required",
            "`session(requiring: .verified)` rejects an anonymous user and an unverified user with the step that helps, and returns "
                + "the session of any other user.",
            buildsOn: ["capability.anonymous.asked-where-claimed"]
        ) { w in
            if w.can(.anonymous) {
                let guest = w.client()
                _ = try await guest.signIn(with: .anonymous)
                let error = await w.refused(.verificationRequired, of: "an anonymous user") { () async throws(AuthError) in
                    try await guest.session(requiring: .verified)
                }
                w.expect(error?.remedies.contains(.linkAnonymousUser) == true, "the error does not report that linking helps")
            }
            if w.can(.password), w.behavior.signUpProof == .required {
                let client = w.client()
                let step = try await client.signUp(with: w.stranger().credential)
                let error = await w.refused(.verificationRequired, of: "an unverified user") { () async throws(AuthError) in
                    try await client.session(requiring: .verified)
                }
                let helps = step.challenge.map { error?.remedies.contains(.verify($0)) == true }
                w.expect(helps != false, "the error does not contain the challenge")
            }
            await w.refused(.notSignedIn, of: "a client without a user") { () async throws(AuthError) in
                try await w.client().session(requiring: .any)
            }
            let (client, session) = try await w.signedIn()
            let requirement: SessionRequirement = session.user.standing == .verified ? .verified : .any
            w.expect(
                try await client.session(requiring: requirement).user.id == session.user.id, "the session belongs to another user"
            )
        },

        Contract(
            "session.deadline", "Every call ends by its deadline if the backend hangs.", needs: [.clock, .faults],
            buildsOn: ["session.user.refresh", "session.sign-out.local"]
        ) { w in
            let (client, session) = try await w.signedIn()
            try await w.ends("refreshing the user", .timedOut) { () async throws(AuthError) in _ = try await client.refreshUser()
            }
            if w.can(.password) {
                let person = w.stranger()
                let other = w.client()
                try await w.ends("a sign-in", .timedOut) { () async throws(AuthError) in
                    _ = try await other.signIn(with: person.credential)
                }
            }
            try await w.outliveToken(of: session)
            try await w.ends("asking for a token", .timedOut) { () async throws(AuthError) in _ = try await client.accessToken() }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            try await w.ends("signing out", nil, asks: w.behavior.refreshTokenAfterSignOut != .lives, isEarly: true) {
                () async throws(AuthError) in
                try await client.signOut(discardingAnonymousUser: true)
            }
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
        },
    ]
}
