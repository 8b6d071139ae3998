import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrue

@Suite(.limitedConcurrency)
struct FlowTests {
    private let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")

    @Test func knownAddressIsNotRevealed() async throws {
        var fake = try #require(GoTrue.user(confirmed: false).object)
        fake["identities"] = []
        fake["role"] = ""
        var challenges: [Challenge?] = []
        for response in [GoTrue.user(confirmed: false), .object(fake)] {
            let adapter = try GoTrue.adapter(Playback(.json(response)))
            let memory = GoTrue.memory()
            let step = try await PasswordSignIn(api: adapter.api).begin(
                credential, for: .signUp(SignUpProfile(displayName: "Ada")), in: memory)
            challenges.append(step.challenge)
        }
        #expect(challenges[0]?.accepts == [.code, .link])
        #expect(challenges[0]?.destination == "a•••@example.com")
        #expect(challenges[0]?.flow.kind == .confirmation)
        #expect(challenges[0]?.accepts == challenges[1]?.accepts)
        #expect(challenges[0]?.flow.kind == challenges[1]?.flow.kind)
        #expect(challenges[0]?.destination == challenges[1]?.destination)
    }

    @Test func automaticConfirmationCompletes() async throws {
        let adapter = try GoTrue.adapter(Playback(.json(GoTrue.session())))
        let step = try await PasswordSignIn(api: adapter.api).begin(
            credential, for: .signUp(SignUpProfile()), in: GoTrue.memory())
        #expect(step.session?.user.email == "ada@example.com")
    }

    @Test func linkIsExchangedWithItsVerifier() async throws {
        let playback = Playback(.json(GoTrue.user(confirmed: false)), .json(GoTrue.session()))
        let adapter = try GoTrue.adapter(playback)
        let memory = GoTrue.memory()
        _ = try await PasswordSignIn(api: adapter.api).begin(credential, for: .signUp(SignUpProfile()), in: memory)
        #expect(playback.requests[0].path == "/signup?redirect_to=app%3A%2F%2Fauth%2Fcallback")
        #expect(playback.requests[0].json?["code_challenge_method"]?.string == "s256")
        let verifier = try #require(memory[.verifier])
        let step = try await LinkVerification(api: adapter.api).attempt(
            .link("app://auth/callback?code=5f9f2f2e-6c3e-4f43-9c8b-0a2f8f6d2f10"), in: memory)
        #expect(step.session != nil)
        #expect(playback.requests[1].json?["code_verifier"]?.string == verifier.reveal())
        #expect((43...128).contains(verifier.reveal().count))
    }

    @Test func unverifiedAddressIsAStepDespiteARecentMessage() async throws {
        let playback = Playback(
            .json(400, ["code": "email_not_confirmed", "message": "Email not confirmed"]),
            .json(429, ["code": "over_email_send_rate_limit", "message": "… request this after 42 seconds."]))
        let adapter = try GoTrue.adapter(playback)
        let memory = GoTrue.memory()
        let step = try await PasswordSignIn(api: adapter.api).begin(credential, for: .signIn, in: memory)
        let challenge = try #require(step.challenge)
        #expect(challenge.flow.kind == .confirmation)
        let wait = try #require(challenge.resendAvailableAt) - GoTrue.clock.now
        #expect((.seconds(40)...(.seconds(42))).contains(wait))
    }

    @Test func wrongUsedAndOldCodesAreDistinguished() async throws {
        let clock = ManualClock(base: FixedClock())
        let refused = HTTPResponse.json(403, ["code": "otp_expired", "message": "Token has expired or is invalid"])
        let playback = Playback(
            .json([:]), refused, .json(GoTrue.session()), .json([:]), refused, refused)
        let configuration = try GoTrueConfiguration(url: GoTrue.url, key: nil)
        let api = GoTrueAdapter(configuration, transport: playback, clock: clock, randomness: SeededRandomness(seed: 2)).api
        let memory = GoTrue.memory()
        let verification = CodeVerification(api: api)
        _ = try await api.sendSignInMail("ada@example.com", in: memory)
        #expect(try await refusal { try await verification.attempt(.code("111111"), in: memory) }.code == .invalidCode)
        #expect(try await verification.attempt(.code("123456"), in: memory).session != nil)
        _ = try await api.sendSignInMail("ada@example.com", in: memory)
        #expect(try await refusal { try await verification.attempt(.code("123456"), in: memory) }.code == .codeUsed)
        clock.advance(by: .seconds(3601))
        #expect(try await refusal { try await verification.attempt(.code("222222"), in: memory) }.code == .codeExpired)
    }

    @Test func passwordResetEndsWithASession() async throws {
        let playback = Playback(.json([:]), .json(GoTrue.session()), .json(GoTrue.user()))
        let adapter = try GoTrue.adapter(playback)
        let memory = GoTrue.memory(.passwordReset, .passwordReset)
        _ = try await PasswordResetRequest(api: adapter.api).begin(email: "ada@example.com", in: memory)
        let step = try await CodeVerification(api: adapter.api).attempt(.code("123456"), in: memory)
        #expect(playback.requests[1].json?["type"]?.string == "recovery")
        #expect(step.accepts == [.newPassword])
        let last = try await NewPassword(api: adapter.api).attempt(.newPassword("Better-Horse-2"), in: memory)
        #expect(last.session != nil)
        #expect(playback.requests.map(\.path).last == "/user")
    }

    @Test func verifiedFactorIsAskedForAndItsCodeCompletes() async throws {
        let factors: JSON = [
            ["id": "f1", "status": "verified", "factor_type": "totp", "friendly_name": "app"],
            ["id": "f2", "status": "unverified", "factor_type": "totp"],
        ]
        let user = GoTrue.user(factors: factors)
        let playback = Playback(
            .json(GoTrue.session(user)), .json(["id": "c1", "type": "totp", "expires_at": 1]),
            .json(GoTrue.session(user, aal: "aal2")))
        let adapter = try GoTrue.adapter(playback)
        let memory = GoTrue.memory()
        let step = try await PasswordSignIn(api: adapter.api).begin(credential, for: .signIn, in: memory)
        guard case .secondFactor(let second) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(second.choices.map(\.id) == ["f1"])
        let last = try await CodeVerification(api: adapter.api).attempt(.code("123456"), in: memory)
        #expect(last.session?.assurance == .twoFactors)
        #expect(playback.requests.map(\.path) == ["/token?grant_type=password", "/factors/f1/challenge", "/factors/f1/verify"])
    }

    /// The user closes the page of the provider.
    ///
    /// The client keeps nothing of the redirect, and a late callback belongs to no flow.
    @Test func abandonedRedirectLeavesNothing() async throws {
        let project = try Project {
            $0.providers["github"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: "http://127.0.0.1:1")
        }
        try project.ada()
        let store = MemorySessionStore(clock: project.clock)
        let client = project.client(store: store)
        let session = try await client.signIn(with: .password(email: Project.email, password: Project.password)).session
        let key = StoreKey(provider: project.adapter.name, backend: project.adapter.backend, slot: .flow)
        guard case .redirect(let step) = try await client.signIn(with: .oauth(.github)) else {
            Issue.record("no page came")
            return
        }
        #expect(try await store.load(key) != nil)
        try await client.cancel(step.flow)
        #expect(try await store.load(key) == nil)
        #expect(client.pending == nil && client.state.session == session)
        let before = project.server.panel.transcript.count
        if case .step = await client.handle(Project.callback + "?code=late") { Issue.record("a late answer was taken") }
        #expect(project.server.panel.transcript.count == before)
        #expect(client.state.session == session && session != nil)
    }

    @Test func renewalByAnotherUserIsRejected() async throws {
        let other = GoTrue.user(id: "00000000-0000-4000-8000-000000000000", email: "eve@example.com")
        let playback = Playback(.json(GoTrue.session()), .json(GoTrue.session(other)), HTTPResponse(status: 204))
        let adapter = try GoTrue.adapter(playback)
        let session = try await adapter.api.refresh("abcdefghijkl")
        let error = try await refusal {
            try await PasswordSignIn(api: adapter.api).begin(
                credential, for: .reauthenticate(session), in: GoTrue.memory(.reauthentication))
        }
        #expect(error.code == .userMismatch)
        #expect(playback.requests.last?.headers["Authorization"] != "Bearer " + session.accessToken.reveal())
    }

    @Test func takenAddressOfAGuestIsAConflict() async throws {
        let playback = Playback(.json(GoTrue.session()), .json(422, ["code": "email_exists", "message": "x"]))
        let adapter = try GoTrue.adapter(playback)
        let guest = try await adapter.api.refresh("abcdefghijkl")
        let step = try await PasswordSignIn(api: adapter.api).begin(
            credential, for: .link(to: guest), in: GoTrue.memory(.linking))
        guard case .identityConflict(let conflict) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(conflict.currentUserID == guest.user.id)
    }

    @Test func nameSentOnlyOnceIsKept() async throws {
        let nameless = GoTrue.user(metadata: ["email_verified": true])
        let playback = Playback(.json(GoTrue.session(nameless)), .json(GoTrue.user()))
        let adapter = try GoTrue.adapter(playback)
        let step = try await IDTokenSignIn(api: adapter.api).begin(
            IDTokenCredential(provider: .apple, token: "t", nonce: "n", name: "Ada"), for: .signIn, in: GoTrue.memory())
        #expect(step.session?.user.displayName == "Ada")
        #expect(playback.requests[0].json?["nonce"]?.string == "n")
        #expect(playback.requests[1].json?["data"]?["display_name"]?.string == "Ada")
    }

    @Test(arguments: [
        (HTTPResponse(status: 204), nil), (.json(["deleted": true]), nil),
        (.json(403, ["code": "reauthentication_needed"]), AuthError.Code.reauthenticationRequired),
        (HTTPResponse(status: 200, body: Array("<html>".utf8)), .invalidResponse),
    ])
    func deletionCallsTheTeamsFunction(_ response: HTTPResponse, _ expected: AuthError.Code?) async throws {
        let adapter = try GoTrue.adapter(Playback(.json(GoTrue.session()), response))
        let session = try await adapter.api.refresh("abcdefghijkl")
        var code: AuthError.Code?
        do throws(AuthError) {
            try await adapter.accountDeletion?.delete(session)
        } catch {
            code = error.code
        }
        #expect(code == expected)
    }
}
