internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about failures that do not end a session.
    public static let faults: [Contract<World>] = [
        Contract(
            "session.fault.offline",
            "Without a network, with a closed connection, or with one that is no longer secure, the user stays signed in, "
                + "and the error is marked as retryable.",
            needs: [.clock, .faults]
        ) { w in
            try await w.survives([.offline, .closed, .faulty], as: [.network, .timedOut])
        },

        Contract(
            "session.fault.server", "After 429, 500, 502, 503 or 504, the user stays signed in, and `Retry-After` is kept.",
            needs: [.clock, .faults]
        ) { w in
            try await w.survives([500, 502, 503, 504].map { .status($0, retryAfter: nil) }, as: [.serverUnavailable])
            for (status, code) in [(429, AuthError.Code.tooManyRequests), (503, .serverUnavailable)] {
                let error = try await w.survives([.status(status, retryAfter: .seconds(17))], as: [code])
                w.expect(
                    error?.retry.isAbout(.seconds(17)) == true,
                    "after status \(status) the error does not contain the time of Retry-After")
            }
        },

        Contract(
            "session.fault.garbage",
            "After the HTML of a captive portal, truncated JSON, an empty 200, wrong types, a byte order mark or repeated "
                + "names, the user stays signed in. If the backend had already refreshed, the next attempt succeeds, or ends "
                + "with a reason, as declared.",
            needs: [.clock, .faults], buildsOn: ["session.refresh.reuse-ends"]
        ) { w in
            // With these faults, the backend refreshes the session, but the client cannot use the response.
            let spoilt: [Garbage] = [.byteOrderMark, .repeatedNames]
            try await w.survives(
                Garbage.allCases.filter { !spoilt.contains($0) }.map { .garbage($0) }, as: [.invalidResponse])
            for garbage in spoilt {
                try await w.survives([.garbage(garbage)], as: [.invalidResponse], then: w.behavior.sessionAfterLostRefresh)
            }
        },

        Contract(
            "session.fault.numbers",
            "With impossible lifetimes, dates and waiting times, each call ends, a token is valid for at most a month, and "
                + "a wait is at most a day.",
            needs: [.clock, .faults, .trace], buildsOn: ["session.fault.garbage", "error.rate-limited"],
            unwatched: [.tokenIsTaken: "the backend's responses contain lifetimes that its tokens do not have"]
        ) { w in
            for numbers in AbsurdNumbers.allCases {
                try await w.bounds(numbers)
                try await w.boundsAtSignIn(numbers)
            }
            guard w.can(.password) else { return }
            try await w.fail(.signIn, with: .rateLimited(retryAfter: .seconds(100_000_000_000_000_000)), times: 1)
            let error = await w.refused(.tooManyRequests, of: "a sign-in above the rate limit") { () async throws(AuthError) in
                try await w.client().signIn(with: w.stranger().credential)
            }
            w.expect(error?.retry == .after(RetryAdvice.longest), "the time to wait is \(String(describing: error?.retry))")
        },
    ]
}

extension World {
    /// Checks a refresh whose response has absurd numbers.
    ///
    /// The refresh ends, the session stays, and the new token has a limited lifetime and is not refreshed again.
    fileprivate func bounds(_ numbers: AbsurdNumbers, line: Int = #line) async throws {
        let device = device()
        let (client, session) = try await signedIn(on: device)
        try await outliveToken(of: session)
        try await fail(.refresh, with: .absurdNumbers(numbers))
        var (wait, isRefused) = (Duration.zero, false)
        switch await result(of: { () async throws(AuthError) in try await client.accessToken() }) {
        case .success:
            expectBoundedLife(of: client, numbers, line: line)
            try await expectRequests(0...0, "a second token after a refresh with the numbers \(numbers)") {
                _ = try await client.accessToken()
            }
        case .failure(let error):
            isRefused = true
            expect(error.code == .invalidResponse, "\(numbers): the error is \(error)", line: line)
            if case .after(let time) = error.retry { wait = time }
            expect(wait <= RetryAdvice.longest, "\(numbers): the time to wait is \(wait)", line: line)
        }
        expect(client.state.session?.user.id == session.user.id, "\(numbers): the state is \(client.state.kind)", line: line)
        expect(try await device.hasStoredSession(), "\(numbers): the store no longer contains the session", line: line)
        try await heal()
        try await advance(by: wait + .seconds(1))
        // The backend has refreshed, so a rejected response is the same as a lost response.
        guard !isRefused || behavior.sessionAfterLostRefresh == .goesOn else {
            return try await expectNextRefresh(of: client, on: device, session, behavior.sessionAfterLostRefresh, line: line)
        }
        expect(
            await result(of: { () async throws(AuthError) in try await client.accessToken() }).isSuccess,
            "\(numbers): the client does not recover", line: line)
    }

    /// Checks sign-ins whose responses all have absurd numbers.
    fileprivate func boundsAtSignIn(_ numbers: AbsurdNumbers, line: Int = #line) async throws {
        for way in [Capability.password, .emailCodeSignIn] where can(way) {
            try await boundsAtSignIn(numbers, by: way, line: line)
        }
    }

    private func boundsAtSignIn(_ numbers: AbsurdNumbers, by way: Capability, line: Int) async throws {
        let person = try await member()
        let client = client()
        try await fail(.any, with: .absurdNumbers(numbers))
        do throws(AuthError) {
            let step =
                way == .password
                ? try await client.signIn(with: person.credential) : try await client.signIn(with: .emailCode(person.email))
            expectBoundedLife(of: client, numbers, line: line)
            if let challenge = step.challenge, let end = challenge.expiresAt {
                let life = end - environment.clock.now
                expect(
                    life >= .seconds(-1) && life <= TokenLifetime.longest, "\(numbers): the lifetime of the challenge is \(life)",
                    line: line)
            }
        } catch {
            // If the adapter uses the new token immediately, the backend may reject it because its numbers were changed.
            expect(
                [.invalidResponse, .notSignedIn, .accessTokenRefused].contains(error.code),
                "\(numbers): the sign-in's error is \(error)",
                line: line)
        }
        try await heal()
    }

    private func expectBoundedLife(of client: any PortableClient, _ numbers: AbsurdNumbers, line: Int) {
        guard let life = client.state.session?.lifetime else { return }
        expect(
            life.life > .zero && life.life <= TokenLifetime.longest && life.expiresAt > life.receivedAt,
            "\(numbers): the lifetime of the token is \(life.life)", line: line)
    }
}

extension World {
    /// Checks for each fault that a failed refresh keeps the session, and that a later refresh works.
    ///
    /// The check waits before the later refresh for as long as the error advises.
    ///
    /// - Parameters:
    ///   - codes: The allowed codes of the error, or `nil` to allow every code.
    ///   - then: The expected result of the later refresh. If the session does not continue, no other fault is tried.
    ///   - line: The line of the check in the source.
    /// - Returns: The last error.
    /// - Throws: An error of the backend's controls; it ends the check.
    @discardableResult
    func survives(
        _ faults: [Fault], as codes: Set<AuthError.Code>? = nil, then: ProviderBehavior.NextRefresh = .goesOn, line: Int = #line
    ) async throws -> AuthError? {
        let device = device()
        let (client, session) = try await signedIn(on: device)
        var failure: AuthError?
        for fault in faults {
            try await outliveToken(of: session)
            try await fail(.refresh, with: fault)
            let outcome = await result(of: { () async throws(AuthError) in try await client.accessToken() })
            expect(!outcome.isSuccess, "\(fault): the client returned a token anyway", line: line)
            failure = outcome.failure
            if let codes, let failure {
                expect(codes.contains(failure.code), "\(fault): the error is \(failure)", line: line)
                expect(failure.retry != .never, "\(fault): the error advises never to retry", line: line)
            }
            expect(client.state.session?.user.id == session.user.id, "\(fault): the state is \(client.state.kind)", line: line)
            expect(try await device.hasStoredSession(), "\(fault): the store no longer contains the session", line: line)
            try await heal()
            if case .after(let time) = failure?.retry { try await advance(by: time + .seconds(1)) }
            guard then == .goesOn else {
                try await expectNextRefresh(of: client, on: device, session, then, line: line)
                return failure
            }
            let next = await result(of: { () async throws(AuthError) in try await client.accessToken() })
            guard next.isSuccess else { try end("\(fault): the client does not recover: \(named(next))", line: line) }
        }
        return failure
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

extension RetryAdvice {
    /// Whether the advice is to wait for `duration`, within two seconds.
    func isAbout(_ duration: Duration) -> Bool {
        if case .after(let time) = self { time >= duration - .seconds(2) && time <= duration + .seconds(2) } else { false }
    }
}
