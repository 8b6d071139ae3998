internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about errors that are the same for every call.
    static let everywhere: [Contract<World>] = [
        Contract(
            "error.rate-limited.everywhere",
            "A rate limit is reported as `tooManyRequests` with the time to wait, and ends no flow or session. This applies to a sign-up, "
                + "a sign-in by code, a reset, its resend, its code and a refresh.",
            appliesTo: takingPersons, needs: [.faults, .mailbox, .clock],
            buildsOn: [
                "sign-in.step.kept", "verification.resend.newest-works", "verification.resend.too-early", "session.fault.server",
            ] + entering + ["error.rate-limited"]
        ) { w in
            func limits(_ what: String, by call: () async throws(AuthError) -> Void) async throws {
                try await w.fail(with: .rateLimited(retryAfter: .seconds(42)), times: 1)
                let error = await w.refused(.tooManyRequests, of: what, by: call)
                w.expect(error?.retry.isAbout(.seconds(42)) == true, "the error of \(what) does not contain the time to wait")
                try await w.heal()
            }
            if w.can(.password) {
                try await limits("a sign-up above the rate limit") { () async throws(AuthError) in
                    _ = try await w.client().signUp(with: w.stranger().credential)
                }
            }
            if w.can(.emailCodeSignIn) {
                let (person, client) = (try await w.member(), w.client())
                try await limits("a code by email above the rate limit") { () async throws(AuthError) in
                    _ = try await client.signIn(with: .emailCode(person.email))
                }
                let begun = try await client.signIn(with: .emailCode(person.email))
                let challenge = try w.require(begun.challenge, "the sign-in returned \(begun.kind)")
                let code = try await w.code(for: person.email)
                try await limits("an emailed code above the rate limit") { () async throws(AuthError) in
                    _ = try await client.respond(to: challenge.flow, with: .code(code))
                }
                w.expect(client.pending?.flow?.id == challenge.flow.id, "the flow of the code is no longer pending")
            }
            let person = try await w.member()
            let client = w.client()
            if w.can(.passwordReset) {
                try await limits("a reset above the rate limit") { () async throws(AuthError) in
                    _ = try await client.requestPasswordReset(email: person.email)
                }
                let step = try await client.requestPasswordReset(email: person.email)
                let challenge = try w.require(step.challenge, "the request returned \(step.kind)")
                if let available = challenge.resendAvailableAt {
                    if available > w.clock.now { try await w.advance(by: available - w.clock.now + .seconds(1)) }
                    try await limits("a resend above the rate limit") { () async throws(AuthError) in
                        _ = try await client.resend(challenge.flow)
                    }
                }
                if challenge.accepts.contains(.code) {
                    let code = try await w.code(for: person.email)
                    try await limits("a code above the rate limit") { () async throws(AuthError) in
                        let step = try await client.respond(to: challenge.flow, with: .code(code))
                        // If the backend accepts the code only together with the password, the request is sent with the password.
                        guard case .newPassword(let entry) = step else { return }
                        _ = try await client.respond(to: entry.flow, with: .newPassword(w.stranger().password))
                    }
                }
                w.expect(client.pending?.flow?.id == challenge.flow.id, "the flow is no longer pending")
            }
            let other = w.client()
            let session = try await w.enter(other, person)
            try await w.outliveToken(of: session)
            try await limits("a refresh above the rate limit") { () async throws(AuthError) in _ = try await other.accessToken() }
            w.expect(other.state.session?.user.id == session.user.id, "the state is \(other.state.kind)")
        },

        Contract(
            "error.same-code-everywhere", "The situations of the error table have the same code in every adapter.",
            appliesTo: .claiming(.password), needs: [.mailbox],
            buildsOn: entering + [
                "reset.wrong-then-right", "capability.id-token.asked-where-claimed", "sign-in.id-token.bad-signature",
            ]
        ) { w in
            let person = try await w.member()
            let client = w.client()
            func expect(
                _ code: AuthError.Code, _ what: String, line: Int = #line, by call: () async throws(AuthError) -> Void
            ) async {
                await w.refused(code, of: what, line: line, by: call)
            }
            await expect(.invalidCredentials, "a wrong password") { () async throws(AuthError) in
                _ = try await client.signIn(with: .password(email: person.email, password: w.stranger().password))
            }
            await expect(.invalidEmail, "a malformed address") { () async throws(AuthError) in
                _ = try await client.signIn(with: .password(email: "nobody", password: person.password))
            }
            await expect(.invalidInput, "an empty password") { () async throws(AuthError) in
                _ = try await client.signIn(with: .password(email: person.email, password: ""))
            }
            await expect(.notSignedIn, "an access token while signed out") { () async throws(AuthError) in
                _ = try await client.accessToken()
            }
            await expect(.notSignedIn, "a reload while signed out") { () async throws(AuthError) in
                _ = try await client.refreshUser()
            }
            let strange = Flow(id: "of-no-client", kind: .confirmation, capability: .password, startedAt: w.clock.now)
            await expect(.flowNotFound, "an answer without a flow") { () async throws(AuthError) in
                _ = try await client.respond(to: strange, with: .code("123456"))
            }
            if w.can(.idToken), let issuer = w.environment.issuer {
                let credential = IDTokenCredential(provider: issuer.provider, token: "not.a.token", nonce: "n")
                await expect(.invalidIDToken, "a malformed ID token") { () async throws(AuthError) in
                    _ = try await client.signIn(with: credential)
                }
            }
            if w.can(.passwordReset) {
                let step = try await client.requestPasswordReset(email: person.email)
                let challenge = try w.require(step.challenge, "the request returned \(step.kind)")
                if challenge.accepts.contains(.code) {
                    let code = try await w.code(for: person.email)
                    await expect(.invalidCode, "a wrong code") { () async throws(AuthError) in
                        let step = try await client.respond(to: challenge.flow, with: .code(code.wrong))
                        guard case .newPassword(let entry) = step else { return }
                        _ = try await client.respond(to: entry.flow, with: .newPassword(w.stranger().password))
                    }
                }
                await expect(.responseNotAccepted, "an answer of another kind") { () async throws(AuthError) in
                    _ = try await client.respond(to: challenge.flow, with: .fields([.firstName: "Ada"]))
                }
            }
            try await w.enter(client, person)
            if w.can(.passwordChange) {
                await expect(.weakPassword, "a weak new password") { () async throws(AuthError) in
                    try await client.changePassword(to: "abc", current: person.password)
                }
            }
        },
    ]
}
