internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about refreshes that fail because the response is lost, or because a proxy rejects them before the backend.
    public static let refreshFaults: [Contract<World>] = [
        Contract(
            "session.refresh.bare-refusal",
            "If a refresh gets the status 401, 403, 404, 407 or 451 without an error in the provider's format, for example "
                + "from a proxy, the session does not end.",
            needs: [.clock, .faults], buildsOn: ["session.fault.garbage"]
        ) { w in
            let faults = [401, 403, 404, 407, 451].flatMap { status in
                ProxyForm.allCases.map { Fault.proxyRefusal(status, $0) }
            }
            try await w.survives(faults)
        },

        Contract(
            "session.refresh.unknown-code", "An unknown code at a refresh never ends a session.", needs: [.clock, .faults],
            buildsOn: ["session.fault.garbage"]
        ) { w in
            try await w.survives([400, 401, 403, 404, 422].map { .unknownCode("lockstep_unheard_of", status: $0) })
        },

        Contract(
            "session.refused-credential",
            "If the backend rejects the credential of a request, the client asks it once about the session. If the backend still has the "
                + "session, or cannot be asked, the call fails and the session continues.",
            when: .backendCanBeAsked, needs: [.clock, .faults, .trace],
            buildsOn: ["session.refresh.unknown-code", "session.end.revoked"], declares: Declaration("refusedCredential")
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            func isKept(
                _ when: String, _ codes: Set<AuthError.Code>, _ requests: ClosedRange<Int> = 2...2,
                by call: () async throws(AuthError) -> Void
            ) async throws {
                try await w.expectRequests(requests, when) {
                    do throws(AuthError) {
                        try await call()
                        w.found("\(when) the call succeeded", line: #line)
                    } catch {
                        w.expect(codes.contains(error.code), "\(when) the error is \(error)")
                        w.expect(error.retry != .never, "\(when) the error advises no retry")
                    }
                }
                w.expect(client.state.session?.user.id == session.user.id, "\(when) the state is \(client.state.kind)")
                w.expect(try await device.hasStoredSession(), "\(when) the store no longer contains the session")
                try await w.heal()
                _ = try await client.accessToken()
            }
            for _ in 0..<3 {
                try await w.outliveToken(of: session)
                try await w.fail(.refresh, with: .refusedCredential, times: 1)
                try await isKept("after a rejected refresh", [.serverUnavailable]) { () async throws(AuthError) in
                    _ = try await client.accessToken()
                }
                try await w.fail(.user, with: .refusedCredential, times: 1)
                try await isKept("after a rejected reload", [.serverUnavailable]) { () async throws(AuthError) in
                    _ = try await client.refreshUser()
                }
            }
            try await w.outliveToken(of: session)
            try await w.fail(with: .offline, skipping: 1, times: 1)
            try await w.fail(.refresh, with: .refusedCredential, times: 1)
            try await isKept("if the backend cannot be asked", [.network, .timedOut], 1...2) { () async throws(AuthError) in
                _ = try await client.accessToken()
            }
        },

        Contract(
            "session.refresh.answer-lost",
            "If the backend has refreshed but its response was lost, the next attempt succeeds, or ends the session with a "
                + "reason, as declared. Nothing is sent repeatedly.",
            needs: [.clock, .faults, .trace], buildsOn: ["session.fault.offline", "session.refresh.reuse-ends"],
            declares: Declaration("sessionAfterLostRefresh")
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            try await w.outliveToken(of: session)
            try await w.fail(.refresh, with: .answerLost, times: 1)
            await w.refused(.network, .timedOut, of: "a refresh with a lost response") { () async throws(AuthError) in
                try await client.accessToken()
            }
            w.expect(client.state.session?.user.id == session.user.id, "without a response the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "without a response the store no longer contains the session")
            try await w.expectRequests(1...2, "the next attempt") {
                try await w.expectNextRefresh(of: client, on: device, session, w.behavior.sessionAfterLostRefresh)
            }
            try await w.expectRequests(0...0, "the following attempt") {
                for _ in 0..<5 { _ = await result(of: { () async throws(AuthError) in try await client.accessToken() }) }
            }
        },
    ]
}
