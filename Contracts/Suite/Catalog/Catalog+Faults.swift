internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// What does not end a session.
    public static let faults: [Contract] = [
        Contract(
            "session.fault.offline", "No network, or a connection that closes: still signed in, typed as retryable.",
            needs: [.clock, .faults]
        ) { w in
            for fault in [Fault.offline, .closed] {
                try await w.survives(fault, [.network, .timedOut])
            }
        },

        Contract(
            "session.fault.server", "429, 500, 502, 503, 504: still signed in; `Retry-After` is kept.", needs: [.clock, .faults]
        ) { w in
            for status in [500, 502, 503, 504] {
                try await w.survives(.status(status, retryAfter: nil), [.serverUnavailable])
            }
            let error = try await w.survives(.status(429, retryAfter: .seconds(17)), [.tooManyRequests])
            w.expect(error?.retry.isAbout(.seconds(17)) == true, "the time of Retry-After is lost")
        },

        Contract(
            "session.fault.garbage", "HTML of a captive portal, truncated JSON, empty 200, wrong types: still signed in.",
            needs: [.clock, .faults]
        ) { w in
            for garbage in Garbage.allCases { try await w.survives(.garbage(garbage), [.invalidResponse]) }
        },
    ]
}

extension World {
    /// Checks that a refresh that fails so leaves the session, and that it works again after the time that the error advises.
    @discardableResult
    fileprivate func survives(_ fault: Fault, _ codes: Set<AuthError.Code>, line: Int = #line) async throws -> AuthError? {
        let device = device()
        let (client, session) = try await signedIn(on: device)
        try await outliveToken(of: session)
        try await fail(.refresh, with: fault)
        var failure: AuthError?
        do throws(AuthError) {
            _ = try await client.accessToken()
            found("\(fault): a token was given all the same", line: line)
        } catch {
            failure = error
            expect(codes.contains(error.code), "\(fault): the error is \(error)", line: line)
            expect(error.retry != .never, "\(fault): the error advises never to try again", line: line)
        }
        expect(client.state.session?.user.id == session.user.id, "\(fault): the state is \(client.state.kind)", line: line)
        expect(try await device.hasStoredSession(), "\(fault): the stored session is gone", line: line)
        try await heal()
        if case .after(let time) = failure?.retry { try await advance(by: time + .seconds(1)) }
        expect(
            await result(of: { () async throws(AuthError) in try await client.accessToken() }).isSuccess,
            "\(fault): it does not heal", line: line)
        return failure
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

extension RetryAdvice {
    /// Whether it is this time, give or take two seconds.
    func isAbout(_ duration: Duration) -> Bool {
        if case .after(let time) = self { time >= duration - .seconds(2) && time <= duration + .seconds(2) } else { false }
    }
}
