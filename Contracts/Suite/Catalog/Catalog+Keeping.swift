internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the data that a client stores, the data that it must not store, and the data that it reports.
    public static let keeping: [Contract<World>] = [
        Contract(
            "verification.no-dead-end", "Every challenge accepts an answer, or reports that the flow ends elsewhere.",
            appliesTo: .claiming(.password), needs: [.clock]
        ) { w in
            func look(_ challenge: Challenge?, _ what: String) {
                guard let challenge else { return }
                w.expect(
                    !challenge.accepts.isEmpty || challenge.ending != nil,
                    "\(what) accepts no answer, and does not report where the flow ends")
                w.expect(
                    challenge.accepts.isEmpty || challenge.ending == nil,
                    "\(what) accepts answers, and reports that the flow ends elsewhere")
            }
            let client = w.client()
            let person = w.stranger()
            look(try await client.signUp(with: person.credential).challenge, "a sign-up")
            // Use a new address for each kind, because a backend may limit how often it sends messages to one address.
            let other = w.client()
            if w.can(.passwordReset) {
                let challenge = try await other.requestPasswordReset(email: w.member().email).challenge
                look(challenge, "a reset")
                if let challenge, challenge.resendAvailableAt != nil { look(try await w.sendAgain(other, challenge), "a resend") }
            }
            if w.can(.emailLinkSignIn) { look(try await other.signIn(with: .emailLink(w.member().email)).challenge, "a link") }
            if w.can(.emailCodeSignIn) { look(try await other.signIn(with: .emailCode(w.member().email)).challenge, "a code") }
        },

        Contract(
            "sign-in.step.cancelled",
            "A cancelled flow is removed. It stays removed after a relaunch, and if another process writes to it.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox],
            buildsOn: ["sign-in.step.kept", "session.sign-out.wipes-flow"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let step = try await w.begin(try w.leavableFlow(), by: client).step
            let flow = try w.require(step.flow, "the step has no flow")
            let twin = device.launch()
            await twin.restore()
            try await client.cancel(flow)
            // The other process does not know about the cancellation, and stores notes after its failed response.
            do throws(AuthError) { _ = try await twin.respond(to: flow, with: .code("000000")) } catch {}
            let again = device.launch()
            await again.restore()
            w.expect(again.pending?.flow?.id != flow.id, "after a relaunch the flow is pending again")
            await w.refused(.flowNotFound, .flowAbandoned, of: "an answer to the cancelled flow") { () async throws(AuthError) in
                try await again.respond(to: flow, with: .code("000000"))
            }
        },

        Contract(
            "sign-in.step.newest-kept",
            "An older copy of a flow in another process does not undo the progress of the flow.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .clock],
            buildsOn: proving + ["sign-in.step.kept", "verification.code.wrong-refused"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let challenge = try w.require(try await w.unfinishedStep(client).challenge, "the step has no challenge")
            guard challenge.resendAvailableAt != nil else { throw NotApplicable("this backend cannot send a message again") }
            let twin = device.launch()
            await twin.restore()
            let newer = try await w.sendAgain(client, challenge)
            // The other process has an older copy of the flow, and stores notes after its failed response.
            let response: ChallengeResponse = challenge.accepts.contains(.poll) ? .poll : .code("000000")
            do throws(AuthError) { _ = try await twin.respond(to: challenge.flow, with: response) } catch {}
            let again = device.launch()
            await again.restore()
            w.expect(again.pending?.challenge == newer, "after a relaunch the pending step is the older one")
        },

        Contract(
            "verification.code.attempts-shared",
            "Processes that share a flow share the ten codes of its step. A new message resets the count for all of them.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .trace, .clock],
            buildsOn: proving + ["sign-in.step.newest-kept"]
        ) { w in
            let device = w.device()
            let client = device.launch()
            let challenge = try w.require(try await w.unfinishedStep(client).challenge, "the step has no challenge")
            guard challenge.accepts.contains(.code) else { throw NotApplicable("no flow of this backend accepts a code") }
            var processes = [client]
            for _ in 0..<4 {
                let twin = device.launch()
                await twin.restore()
                processes.append(twin)
            }
            let guess: @Sendable (any PortableClient) async -> Void = { client in
                do throws(AuthError) { _ = try await client.respond(to: challenge.flow, with: .code("000000")) } catch {}
            }
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            for isAtOnce in [false, true] {
                let start = trace.totals.requests
                await guess(client)
                let once = trace.totals.requests - start
                try await w.expectRequests(0...(9 * once), "further codes of five processes (one process sends \(once) requests)")
                {
                    if isAtOnce {
                        await withTaskGroup(of: Void.self) { group in
                            for process in processes { for _ in 0..<6 { group.addTask { await guess(process) } } }
                        }
                    } else {
                        for _ in 0..<6 { for process in processes { await guess(process) } }
                    }
                }
                guard !isAtOnce, challenge.resendAvailableAt != nil else { return }
                _ = try await w.sendAgain(client, challenge)
            }
        },

        Contract(
            "sign-in.step.ends-by-age",
            "A flow without further calls is kept for seven days. Then it expires, in the running app and after a "
                + "relaunch, and its secrets are removed from the store.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .clock],
            buildsOn: proving + ["sign-in.step.kept", "session.sign-out.wipes-flow"]
        ) { w in
            for isRunning in [true, false] {
                let device = w.device()
                let client = device.launch()
                let flow = try w.require(try await w.unfinishedStep(client).flow, "the step has no flow")
                try await w.advance(by: Flow.longestLife - .seconds(60))
                let twin = device.launch()
                await twin.restore()
                w.expect(twin.pending?.flow?.id == flow.id, "the flow expired too early")
                try await w.advance(by: .seconds(120))
                let late = isRunning ? client : device.launch()
                await late.restore()
                if isRunning {
                    await w.refused(.flowNotFound, .flowAbandoned, of: "an answer to the old flow") {
                        () async throws(AuthError) in
                        try await late.respond(to: flow, with: .code("000000"))
                    }
                }
                w.expect(late.pending?.flow?.id != flow.id, "the flow is still pending after its expiry")
                let kept = String(decoding: try await device.stored(.flow) ?? [], as: UTF8.self)
                w.expect(!kept.contains(flow.id), "the store still contains the flow")
            }
        },

        Contract(
            "session.sign-out.wipes-flow",
            "A sign-out removes the current flow from the store. If the store fails, an event reports it, and the flow is "
                + "removed as soon as the store works.",
            appliesTo: .claiming([.password, .passwordReset]), needs: [.mailbox],
            buildsOn: ["session.sign-out.local", "sign-in.step.kept"]
        ) { w in
            for isRefused in [false, true] {
                let device = w.device()
                let member = try await w.member()
                let client = device.launch()
                try await w.enter(client, member)
                _ = try await client.requestPasswordReset(email: member.email)
                w.expect(try await device.stored(.flow) != nil, "the store does not contain the flow")
                if isRefused { device.disk.suffers(.writing) }
                do throws(AuthError) { try await client.signOut() } catch {
                    w.expect(isRefused && error.code == .storeUnavailable, "the sign-out failed with \(error)")
                }
                if isRefused {
                    w.expect(
                        w.events.all.contains { $0.name == .persistenceFailed && $0[.slot] == "flow" },
                        "no event reports it")
                    device.disk.suffers(nil)
                    let isGone = try await w.comes(each: .seconds(1)) { try await device.stored(.flow) == nil }
                    w.expect(isGone, "the store accepts writes again, and still contains the flow")
                } else {
                    w.expect(try await device.stored(.flow) == nil, "the store still contains the flow")
                }
            }
        },

        Contract(
            "session.sign-out.reason-kept", "The sign-out reason is still known after a relaunch.",
            buildsOn: ["session.restore.same-user", "session.sign-out.offline"]
        ) { w in
            let device = w.device()
            let fresh = await device.launch().restore()
            w.expect(fresh.kind == "signedOut(neverSignedIn)", "on a new device the state is \(fresh.kind)")
            let (client, session) = try await w.signedIn(on: device)
            try await client.signOut(discardingAnonymousUser: true)
            let state = await device.launch().restore()
            w.expect(state.kind == "signedOut(requested)", "after a relaunch the state is \(state.kind)")
            let kept = try w.require(await device.stored(.signOut), "the store contains no note about the sign-out")
            let text = String(decoding: kept, as: UTF8.self)
            let secrets = [
                session.accessToken.reveal(), session.refreshToken.reveal(), session.user.id,
                session.user.email ?? session.user.id,
            ]
            w.expect(!secrets.contains(where: text.contains), "the stored note contains data of the user")
        },

        Contract(
            "session.persistence-told",
            "A sign-in with an unwritable store succeeds, and the client reports that a relaunch will not find the session.",
            buildsOn: ["session.persistence-retried"]
        ) { w in
            let device = w.device()
            let (client, _) = try await w.signedIn(on: device)
            w.expect(client.persistence == .stored, "for a stored session the client reports \(client.persistence)")
            let other = w.device()
            other.disk.suffers(.writing)
            let (unwritten, session) = try await w.signedIn(on: other)
            w.expect(unwritten.state.session?.user.id == session.user.id, "the state is \(unwritten.state.kind)")
            guard case .memoryOnly(let failure) = unwritten.persistence else {
                return w.found("for a session in memory the client reports \(unwritten.persistence)", line: #line)
            }
            w.expect(failure.code == .unwritable, "the reason is \(failure.code.rawValue)")
            other.disk.suffers(nil)
            let heals = try await w.comes(each: .seconds(1)) { unwritten.persistence == .stored }
            w.expect(heals, "the client does not report that the store accepted the session")
        },

        Contract(
            "session.user.unchanged-not-written", "Reading an unchanged user writes nothing to the store.",
            buildsOn: ["session.user.refresh", "session.update.keeps-new-tokens"]
        ) { w in
            let device = w.device()
            let (client, _) = try await w.signedIn(on: device)
            _ = try await client.refreshUser()
            let before = try await device.revision(of: .session)
            for _ in 0..<3 { _ = try await client.refreshUser() }
            w.expect(try await device.revision(of: .session) == before, "the client wrote the session again")
        },

        Contract(
            "session.events.tokens-are-no-change",
            "Subscribers receive only changes that a screen would show. New tokens of the same session are not a change.",
            needs: [.clock], buildsOn: ["session.events.order", "session.token.single-flight"]
        ) { w in
            let (client, session) = try await w.signedIn()
            let states = client.states
            for _ in 0..<3 {
                try await w.outliveToken(of: session)
                _ = try await client.accessToken()
            }
            try await client.signOut(discardingAnonymousUser: true)
            let seen = await w.soon { await states.prefix(2).reduce(into: []) { $0.append($1.kind) } }
            let expected = [session.user.isAnonymous ? "anonymous" : "signedIn", "signedOut(requested)"]
            w.expect(seen == expected, "a subscriber saw \(seen ?? [])")
        },

        Contract(
            "session.refresh.waits-for-holder",
            "While another process refreshes, a call waits until its own deadline, and uses the new session of that process.",
            needs: [.clock, .faults, .trace],
            buildsOn: ["session.refresh.reads-store", "session.refresh.loser-adopts", "session.deadline"]
        ) { w in
            let device = w.device()
            let (first, session) = try await w.signedIn(on: device)
            let second = device.launch()
            await second.restore()
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .hang, times: 1)
            let holder = Task { await result(of: { () async throws(AuthError) in try await first.accessToken() }) }
            try await w.untilHanging(1)
            let waiter = Task { await result(of: { () async throws(AuthError) in try await second.accessToken() }) }
            for _ in 0..<20 {
                w.clock.advance(by: .seconds(1))
                let end = await Race.first(limit: .milliseconds(10)) { await waiter.value }
                if end != nil { return w.found("the call did not wait: \(end.map(named) ?? "")", line: #line) }
            }
            try await w.release()
            let token = await w.soon { await holder.value }
            var other: Result<Secret, AuthError>?
            for _ in 0..<200 where other == nil {
                w.clock.advance(by: .milliseconds(50))
                other = await Race.first(limit: .milliseconds(50)) { await waiter.value }
            }
            guard case .success(let one)?? = token.map(Optional.some), case .success(let two)? = other else {
                return w.found("the calls got \(token.map(named) ?? "nothing") and \(other.map(named) ?? "nothing")", line: #line)
            }
            w.expect(one == two, "the calls got different tokens")
        },
    ]
}

extension Device {
    fileprivate func revision(of slot: StoreKey.Slot) async throws(StoreError) -> Revision? {
        try await disk.load(key(slot))?.revision
    }
}
