import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

@Suite(.limitedConcurrency)
struct FlowTests {
    private let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")

    @Test func signUpWaitsForVerificationInALimitedSession() async throws {
        let playback = Playback(.json(Firebase.tokens()), .json(Firebase.lookup()), .json(["email": "ada@example.com"]))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory()
        let step = try await PasswordSignIn(api: adapter.api).begin(
            credential, for: .signUp(SignUpProfile(displayName: "Ada")), in: memory)
        #expect(step.challenge?.accepts == [.poll, .link])
        #expect(step.flow?.kind == .confirmation)
        #expect(playback.requests.map(\.call) == ["accounts:signUp", "accounts:lookup", "accounts:sendOobCode"])
        #expect(playback.requests.allSatisfy { !$0.url.contains("key") && $0.headers["X-Goog-Api-Key"] == "fake-api-key" })
        #expect(playback.requests.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(playback.requests[0].json?["displayName"]?.string == "Ada")
        #expect(playback.requests[2].json?["requestType"]?.string == "VERIFY_EMAIL")
    }

    @Test func interruptedSignUpContinuesWithoutASecondAccount() async throws {
        let playback = Playback(
            .json(Firebase.tokens()), .json(Firebase.lookup()), Firebase.refusal("EMAIL_NOT_SENT"),
            .json(["email": "ada@example.com"]))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory()
        let strategy = PasswordSignIn(api: adapter.api)
        let error = try await refusal { try await strategy.begin(credential, for: .signUp(SignUpProfile()), in: memory) }
        #expect(error.code == .messageNotSent)
        #expect(memory.completed == ["account"])
        let step = try await strategy.begin(credential, for: .signUp(SignUpProfile()), in: memory)
        #expect(step.challenge != nil)
        #expect(playback.requests.filter { $0.call == "accounts:signUp" }.count == 1)
        #expect(playback.requests.filter { $0.call == "accounts:sendOobCode" }.count == 2)
    }

    @Test func unverifiedAddressIsAStepWithANewMessage() async throws {
        let playback = Playback(
            .json(Firebase.tokens()), .json(Firebase.lookup()), .json(["email": "ada@example.com"]), .json(Firebase.tokens()),
            .json(Firebase.lookup()))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory()
        let strategy = PasswordSignIn(api: adapter.api)
        #expect(try await strategy.begin(credential, for: .signIn, in: memory).challenge != nil)
        #expect(try await strategy.begin(credential, for: .signIn, in: memory).challenge != nil)
        #expect(playback.requests.filter { $0.call == "accounts:sendOobCode" }.count == 1)
    }

    @Test func verifiedAddressCompletes() async throws {
        let adapter = try Firebase.adapter(
            Playback(.json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true))))
        let step = try await PasswordSignIn(api: adapter.api).begin(credential, for: .signIn, in: Firebase.memory())
        let session = try #require(step.session)
        #expect(session.user.standing == .verified)
        #expect(session.user.fields["passwordHash"] == nil)
        #expect(session.user.createdAt == Instant(milliseconds: 1_767_225_600_000))
        #expect(session.lifetime.life == .seconds(3600))
    }

    /// A custom claim or an older state can put anything into a token.
    ///
    /// The server's user object overrides it.
    @Test func serverAnswerOverridesTokenClaims() async throws {
        var response = try #require(Firebase.tokens(verified: true).object)
        var claims = try #require(CompactToken.unverifiedClaims(of: response["idToken"]?.string ?? ""))
        claims["admin"] = true
        let parts = [JSON.object(["alg": "none"]), .object(claims)].map { Base64.encode($0.bytes(), .url) }
        response["idToken"] = .string(parts.joined(separator: ".") + ".")
        let sent = JSON.object(["email": "ada@example.com"])
        let client = try Firebase.client(Playback(.json(.object(response)), .json(Firebase.lookup()), .json(sent)))
        let step = try await client.signIn(with: credential)
        #expect(step.session == nil && step.challenge?.flow.kind == .confirmation)
        let limited = try #require(client.state.session)
        #expect(limited.claims["email_verified"] == true && limited.claims["admin"] == true)
        #expect(!limited.user.isEmailVerified && limited.user.standing == .unverified)
        #expect(limited.user.fields["admin"] == nil && limited.assurance == .oneFactor)
        let refused = try await refusal { try await client.session(requiring: .verified) }
        #expect(refused.code == .verificationRequired)
    }

    @Test func guestsAreRecognizedByTheirToken() async throws {
        let guest = Firebase.tokens(provider: "anonymous", name: nil, email: nil)
        let plain = Firebase.lookup(name: nil, email: nil, provider: nil)
        let adapter = try Firebase.adapter(Playback(.json(guest), .json(plain)))
        let step = try await AnonymousSignIn(api: adapter.api).begin(AnonymousCredential(), for: .signIn, in: Firebase.memory())
        #expect(step.session?.user.standing == .anonymous)
        // A guest who has since linked an identity continues with a token that still says guest.
        let linked = try Firebase.adapter(Playback(.json(guest), .json(Firebase.lookup(provider: "google.com"))))
        let session = try await linked.api.session(for: try await linked.api.refresh("r"))
        #expect(session.user.standing == .verified)
    }

    @Test func linksOfOthersAreNotUsedUp() async throws {
        let playback = Playback(
            .json(["email": "ada@example.com"]), .json(["email": "eve@example.com", "requestType": "VERIFY_EMAIL"]))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.passwordReset, .passwordReset)
        _ = try await PasswordResetRequest(api: adapter.api).begin(email: "ada@example.com", in: memory)
        let error = try await refusal {
            try await LinkVerification(api: adapter.api).attempt(
                .link(Firebase.links + "?mode=verifyEmail&oobCode=c"), in: memory)
        }
        #expect(error.code == .linkInvalid)
        #expect(playback.requests.last?.json == ["oobCode": "c"])
    }

    @Test func passwordResetWorksOnceAndSignsIn() async throws {
        let playback = Playback(
            .json(["email": "ada@example.com"]), .json(["email": "ada@example.com", "requestType": "PASSWORD_RESET"]),
            Firebase.refusal("WEAK_PASSWORD : x"), .json(["email": "ada@example.com"]), Firebase.refusal("INTERNAL", status: 503),
            .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory(.passwordReset, .passwordReset)
        _ = try await PasswordResetRequest(api: adapter.api).begin(email: "ada@example.com", in: memory)
        let link = ChallengeResponse.link(Firebase.links + "?mode=resetPassword&oobCode=c")
        #expect(try await LinkVerification(api: adapter.api).attempt(link, in: memory).accepts == [.newPassword])
        let strategy = NewPassword(api: adapter.api)
        #expect(try await refusal { try await strategy.attempt(.newPassword("x"), in: memory) }.code == .weakPassword)
        #expect(try await refusal { try await strategy.attempt(.newPassword("Better-1"), in: memory) }.code == .serverUnavailable)
        #expect(try await strategy.attempt(.newPassword("Better-1"), in: memory).session != nil)
        #expect(playback.requests.filter { $0.json?["newPassword"]?.string == "Better-1" }.count == 1)
    }

    @Test func identityOfAnotherUserIsAConflictDespiteStatus200() async throws {
        let playback = Playback(
            .json(Firebase.tokens(provider: "anonymous", name: nil, email: nil)),
            .json(Firebase.lookup(name: nil, email: nil, provider: nil)),
            .json(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED", "providerId": "google.com"]))
        let adapter = try Firebase.adapter(playback)
        let guest = try await adapter.api.session(for: try await adapter.api.refresh("r"))
        let step = try await IDTokenSignIn(api: adapter.api).begin(
            IDTokenCredential(provider: .google, token: "t", nonce: "n&n"), for: .link(to: guest), in: Firebase.memory(.linking))
        guard case .identityConflict = step else {
            Issue.record("\(step)")
            return
        }
        #expect(playback.requests.last?.json?["postBody"]?.string == "providerId=google.com&id_token=t&nonce=n%26n")
    }

    @Test func unverifiedAddressOfAnIdentityDoesNotSignIn() async throws {
        let adapter = try Firebase.adapter(Playback(.json(["needConfirmation": true, "localId": "x", "verifiedProvider": []])))
        let error = try await refusal {
            try await IDTokenSignIn(api: adapter.api).begin(
                IDTokenCredential(provider: .google, token: "t"), for: .signIn, in: Firebase.memory())
        }
        #expect(error.code == .emailAlreadyInUse)
    }

    @Test func secondFactorPrecedesTokens() async throws {
        let pending: JSON = [
            "localId": "uid-1", "mfaPendingCredential": "p",
            "mfaInfo": [["mfaEnrollmentId": "m1", "displayName": "app", "totpInfo": [:]]],
        ]
        let done = Firebase.tokens(verified: true, factor: true)
        let playback = Playback(
            .json(pending), .json(["idToken": done["idToken"] ?? .null, "refreshToken": "r"]),
            .json(Firebase.lookup(verified: true)))
        let adapter = try Firebase.adapter(playback)
        let memory = Firebase.memory()
        let step = try await PasswordSignIn(api: adapter.api).begin(credential, for: .signIn, in: memory)
        #expect(step.accepts == [.code, .factor])
        let last = try await SecondFactor(api: adapter.api).attempt(.code("123456"), in: memory)
        #expect(last.session?.assurance == .twoFactors)
        #expect(last.session?.lifetime.life == .seconds(3600))
        #expect(playback.requests[1].json?["totpVerificationInfo"]?["verificationCode"]?.string == "123456")
    }

    @Test(arguments: [
        ("TOKEN_EXPIRED", AuthError.Code.sessionRevoked), ("USER_DISABLED", .userDisabled), ("USER_NOT_FOUND", .userDeleted),
        ("INVALID_REFRESH_TOKEN", .refreshTokenUnknown),
    ])
    func tokenServiceErrorsAreMapped(_ message: String, _ expected: AuthError.Code) async throws {
        let adapter = try Firebase.adapter(Playback(Firebase.refusal(message)))
        #expect(try await refusal { try await adapter.api.refresh("r") }.code == expected)
    }

    @Test(arguments: [
        ("?mode=verifyEmail&oobCode=c&apiKey=k&lang=en", Flow.Kind.confirmation), ("?mode=signIn&oobCode=c", .signIn),
        ("?mode=resetPassword&oobCode=c", .passwordReset), ("?mode=verifyAndChangeEmail&oobCode=c", .emailChange),
        ("?link=https%3A%2F%2Fp.firebaseapp.com%2F__%2Fauth%2Faction%3Fmode%3DsignIn%26oobCode%3Dc", .signIn),
    ])
    func recognizesLinks(_ tail: String, _ kind: Flow.Kind) throws {
        guard case .proof(let kinds, _) = try Firebase.adapter(Playback()).callbacks.read(try Callback(Firebase.links + tail))
        else {
            Issue.record("\(tail) is no proof")
            return
        }
        #expect(kinds.contains(kind))
    }

    @Test(arguments: [
        "https://example.com/?mode=signIn&oobCode=c", "app://auth/other?mode=signIn&oobCode=c", "app://auth/callback",
        "app://auth/action?x=1",
    ])
    func rejectsForeignLinks(_ url: String) throws {
        guard case .notOurs = try Firebase.adapter(Playback()).callbacks.read(try Callback(url)) else {
            Issue.record("\(url) was taken")
            return
        }
    }
}
