internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about refreshing a session: which token is sent, how often, and which response is used.
    public static let refresh: [Contract<World>] = [
        Contract(
            "session.refresh.reads-store",
            "The refresh token is read immediately before it is sent. A newer session in the store is adopted without a request.",
            needs: [.clock, .trace], buildsOn: ["session.token.single-flight", "session.restore.same-user"]
        ) { w in
            let device = w.device()
            let (first, session) = try await w.signedIn(on: device)
            let second = device.launch()
            await second.restore()
            var renewed = session.accessToken
            for _ in 0..<2 {
                try await w.outliveToken(of: session)
                let token = try await first.accessToken()
                w.expect(token != renewed, "the client returned the token of an expired session")
                renewed = token
            }
            try await w.expectRequests(0...0, "adopting the session that the other process stored") {
                w.expect(try await second.accessToken() == renewed, "the client did not return the token in the store")
            }
            // The second process now has a token that is two refreshes old.
            for _ in 0..<2 {
                try await w.outliveToken(of: session)
                renewed = try await first.accessToken()
            }
            try await w.outliveToken(of: session)
            let token = try await second.accessToken()
            w.expect(token != renewed, "the client returned an expired token")
            w.expect(second.state.session?.user.id == session.user.id, "the state is \(second.state.kind)")
            let stored = await device.launch().restore().session
            w.expect(stored?.accessToken == token, "the store contains a different session")
        },

        Contract(
            "session.refresh.loser-adopts",
            "If two processes have sent the same refresh token, the process with the error \"already used\" adopts the "
                + "session that the other one has stored.",
            needs: [.clock, .faults], buildsOn: ["session.refresh.reads-store", "session.authorized.one-retry"]
        ) { w in
            let device = w.device()
            let (loser, session) = try await w.signedIn(on: device)
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .hang, times: 1)
            let late = Task { await result(of: { () async throws(AuthError) in try await loser.accessToken() }) }
            try await w.untilHanging(1)
            // Meanwhile another process, which ignores the first process's exclusive lock, renews the token twice.
            let winner = device.unguarded.launch()
            _ = try await winner.accessToken()
            try await w.renew(winner)
            let won = try await winner.accessToken()
            try await w.release()
            let outcome = await w.soon { await late.value }
            w.expect(outcome?.isSuccess == true, "the late process got no token")
            w.expect(loser.state.session?.user.id == session.user.id, "the state is \(loser.state.kind)")
            let stored = try w.require(await device.launch().restore().session, "the store contains no session")
            w.expect(loser.state.session == stored, "the late process continues with another session than the stored one")
            if w.behavior.sessionWithSpentToken != .goesOn {
                w.expect(stored.accessToken == won, "the store does not contain the session of the other process")
            }
        },

        Contract(
            "session.refresh.reuse-ends",
            "If the only refresh token in the store was used long ago, the session ends with `refreshReuse`. If tokens do not rotate, it "
                + "works again, as declared.",
            needs: [.clock], buildsOn: ["session.refresh.reads-store"], declares: Declaration("sessionWithSpentToken")
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            let copy = try await device.copy()
            for _ in 0..<2 {
                try await w.outliveToken(of: session)
                _ = try await client.accessToken()
            }
            try await w.outliveToken(of: session)
            try await w.expectNextRefresh(of: copy.launch(), on: copy, session, w.behavior.sessionWithSpentToken)
        },

        Contract(
            "session.refresh.replayed",
            "If someone else sends a spent refresh token again, the owner's session ends at its next refresh with the declared reason, or "
                + "it continues, as declared.",
            needs: [.clock, .administrator], buildsOn: ["session.refresh.reads-store"],
            declares: Declaration("sessionAfterReplay")
        ) { w in
            let device = w.device()
            let (client, first) = try await w.signedIn(on: device)
            for _ in 0..<2 {
                try await w.outliveToken(of: first)
                _ = try await client.accessToken()
            }
            let owned = try w.require(client.state.session, "the state is \(client.state.kind)")
            let isTaken = try await w.administrator().accepts(refreshToken: first.refreshToken)
            if w.behavior.sessionWithSpentToken != .goesOn {
                w.expect(!isTaken, "the backend returns tokens for a spent refresh token")
            }
            try await w.outliveToken(of: owned)
            try await w.expectNextRefresh(of: client, on: device, owned, w.behavior.sessionAfterReplay)
        },

        Contract(
            "session.refresh.after-switch", "A refresh that returns after another user's sign-in is discarded.",
            appliesTo: takingPersons, needs: [.clock, .faults],
            buildsOn: ["session.refresh.after-sign-out", "sign-in.replaces-session"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .hang, times: 1)
            let late = Task { await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            try await w.untilHanging(1)
            let other = try await w.signIn(client)
            w.expect(other.user.id != session.user.id, "both sign-ins returned the same user")
            try await w.release()
            let outcome = await w.soon { await late.value }
            w.expect(outcome?.isSuccess == false, "the caller for the first user got a token")
            w.expect(
                client.state.session?.user.id == other.user.id, "the state is \(client.state.kind), or another user is signed in")
            w.expect(try await client.accessToken() == other.accessToken, "the token does not belong to the second sign-in")
            let stored = await device.launch().restore().session
            w.expect(stored?.user.id == other.user.id, "the store does not contain the second user")
            w.expect(stored?.accessToken == other.accessToken, "the store contains a different token")
        },

        Contract(
            "session.refresh.once-a-life",
            "If the device's clock is wrong by a day or jumps, there is at most one refresh per token lifetime.",
            needs: [.clock, .trace], buildsOn: ["session.token.valid-needs-no-request"]
        ) { w in
            let day = Duration.seconds(24 * 3600)
            for (first, later) in [(day, .zero - day - day), (.zero - day, day + day)] {
                w.clock.shiftWall(by: first)
                let device = w.device()
                let (client, session) = try await w.signedIn(on: device)
                try await w.expectRequests(0...0, "five sixths of the lifetime with a clock that is wrong and jumps") {
                    for part in 0..<5 {
                        if part == 2 { w.clock.shiftWall(by: later) }
                        w.expect(try await client.accessToken() == session.accessToken, "the client renewed the token too early")
                        w.expect(
                            try await device.launch().accessToken() == session.accessToken,
                            "a relaunch renewed the token too early")
                        try await w.advance(by: session.lifetime.life / 6)
                    }
                }
                try await w.outliveToken(of: session)
                try await w.expectRequests(1...2, "the end of the lifetime") {
                    w.expect(try await client.accessToken() != session.accessToken, "the client returned an expired token")
                }
            }
        },

        Contract(
            "session.token.alive-while-failing",
            "While renewals fail, a token that is due for renewal is returned until it expires.",
            needs: [.clock, .faults], buildsOn: ["session.fault.server", "session.fault.offline"]
        ) { w in
            for fault in [Fault.status(503, retryAfter: nil), .offline, .rateLimited(retryAfter: .seconds(90))] {
                let (client, session) = try await w.signedIn()
                try await w.advance(by: session.lifetime.life - session.lifetime.margin)
                try await w.fail(.refresh, with: fault)
                for _ in 0..<3 {
                    let token = await result(of: { () async throws(AuthError) in try await client.accessToken() })
                    w.expect(
                        token.value == session.accessToken, "\(fault): the client did not return the token before its expiry")
                    try await w.advance(by: session.lifetime.margin / 4)
                }
                try await w.advance(by: session.lifetime.margin)
                let dead = await result(of: { () async throws(AuthError) in try await client.accessToken() })
                w.expect(!dead.isSuccess, "\(fault): the client returned an expired token")
                w.expect(client.state.session?.user.id == session.user.id, "\(fault): the state is \(client.state.kind)")
                try await w.heal()
            }
        },

        Contract(
            "session.fault.retry-budget",
            "During a permanent 429, at most ten requests are sent in five minutes; during ninety minutes of 503, about "
                + "one per minute. The pauses grow and vary, and the client recovers automatically.",
            needs: [.clock, .faults, .trace], buildsOn: ["session.fault.server"]
        ) { w in
            let (client, session) = try await w.signedIn()
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .status(429, retryAfter: nil))
            try await w.expectRequests(2...10, "five minutes of repeated calls") {
                _ = try await w.pauses(of: client, asking: 50, every: .seconds(6))
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            try await w.heal()
            try await w.advance(by: .seconds(90))
            w.expect(try await client.accessToken() != session.accessToken, "the client does not recover")

            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .status(503, retryAfter: nil))
            let pauses = try await w.expectRequests(20...100, "ninety minutes of repeated calls") {
                try await w.pauses(of: client, asking: 540, every: .seconds(10))
            }
            w.expect(pauses.first.map { $0 <= .seconds(20) } == true, "the first pause is \(pauses.first, default: "none")")
            w.expect(pauses.last.map { $0 >= .seconds(50) } == true, "the last pause is \(pauses.last, default: "none")")
            w.expect(Set(pauses.suffix(20)).count > 5, "the last pauses do not vary")
            w.expect(client.state.session?.user.id == session.user.id, "after ninety minutes the state is \(client.state.kind)")
            try await w.heal()
            try await w.advance(by: .seconds(90))
            w.expect(try await !client.accessToken().isEmpty, "after ninety minutes the client does not recover")
        },
    ]
}

extension Result {
    /// The value of a success, or `nil`.
    var value: Success? { try? get() }
}

extension World {
    /// Requests a token repeatedly while every refresh fails.
    ///
    /// - Returns: The pauses that the client reports after its requests. There is no pause after the first request.
    fileprivate func pauses(
        of client: any PortableClient, asking times: Int, every interval: Duration, line: Int = #line
    ) async throws -> [Duration] {
        let trace = try need(environment.trace, "the harness does not count requests")
        var (pauses, sent): ([Duration], Duration?) = ([], nil)
        for _ in 0..<times {
            let before = trace.totals.requests
            let outcome = await result(of: { () async throws(AuthError) in try await client.accessToken() })
            expect(!outcome.isSuccess, "the client returned an expired token", line: line)
            if trace.totals.requests > before {
                sent = clock.uptime
            } else if let start = sent, case .after(let left)? = outcome.failure?.retry {
                pauses.append(clock.uptime + left - start)
                sent = nil
            }
            try await advance(by: interval)
        }
        return pauses
    }

    /// Checks that the next refresh of a session with an expired token has the declared result.
    func expectNextRefresh(
        of client: any PortableClient, on device: Device, _ session: Session, _ declared: ProviderBehavior.NextRefresh,
        line: Int = #line
    ) async throws {
        await client.restore()
        let before = events.all.count
        let outcome = await result(of: { () async throws(AuthError) in try await client.accessToken() })
        guard let reason = declared.reason else {
            expect(outcome.value.map { $0 != session.accessToken } ?? false, "the session did not continue", line: line)
            return expect(
                client.state.session?.user.id == session.user.id, "the session continues, and the state is \(client.state.kind)",
                line: line)
        }
        expect(!outcome.isSuccess, "the client returned a token", line: line)
        expect(
            client.state.kind == "signedOut(\(reason.rawValue))",
            "the state is \(client.state.kind), expected \(reason.rawValue)",
            line: line)
        expect(try await !device.hasStoredSession(), "the store still contains the session", line: line)
        let told = events.all.dropFirst(before).filter { $0.name == .sessionEnded }.map { $0.fields["reason"] }
        expect(told == [reason.rawValue], "the reported reasons are \(told.compactMap { $0 })", line: line)
    }
}
