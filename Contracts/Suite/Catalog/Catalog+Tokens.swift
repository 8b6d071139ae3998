internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about tokens with characters that a request header cannot contain.
    static let tokens: [Contract<World>] = [
        Contract(
            "session.tokens.sendable",
            "A token with a line break, NUL, another control character or a non-ASCII letter fails with `invalidResponse` "
                + "at a sign-in and at a refresh. No client shows or stores it.",
            appliesTo: takingPersons, needs: [.clock, .faults], buildsOn: entering
        ) { w in
            for suffix in ["\r\nX-Injected: yes", "\n", "\r", "\0", "\u{7F}", "\u{E9}"] {
                try await w.rejectsTokens(ending: suffix)
            }
        }
    ]
}

extension World {
    fileprivate func rejectsTokens(ending suffix: String, line: Int = #line) async throws {
        let name = suffix.debugDescription
        let (person, device) = (try await member(), device())
        let client = device.launch()
        try await fail(with: .tokenSuffix(suffix))
        do {
            try await enter(client, person, line: line)
            found("a sign-in accepted tokens that end with \(name)", line: line)
        } catch let error as AuthError {
            expect(
                error.code == .invalidResponse, "at a sign-in, tokens that end with \(name) failed with \(error)", line: line)
        }
        try await heal()
        expect(client.state.session == nil, "after tokens that end with \(name) the state is \(client.state.kind)", line: line)
        expect(try await !device.hasStoredSession(), "the store contains a session whose tokens end with \(name)", line: line)

        let session = try await enter(client, person, line: line)
        try await outliveToken(of: session)
        try await fail(.refresh, with: .tokenSuffix(suffix))
        let renewed = await result(of: { () async throws(AuthError) in try await client.accessToken() })
        try await heal()
        expect(
            renewed.failure?.code == .invalidResponse,
            "at a refresh, the result of a token that ends with \(name) is \(named(renewed))",
            line: line)
        let kept = device.launch()
        for session in [client.state.session, await kept.restore().session] {
            guard let session else { continue }
            let isClean = [session.accessToken, session.refreshToken].allSatisfy { !$0.reveal().hasSuffix(suffix) }
            expect(isClean, "after a refresh the session has tokens that end with \(name)", line: line)
        }
    }
}
