import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Second factors that users add and remove.
@Suite(.limitedConcurrency)
struct FactorEnrolmentTests {
    /// A signed-in member, and the later requests.
    private struct Member {
        let client: AuthClient
        let playback: Playback

        init(_ answers: HTTPResponse..., change: (inout FirebaseConfiguration) -> Void = { _ in }) async throws {
            let signedIn: [HTTPResponse] = [.json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true))]
            playback = Playback(signedIn + answers)
            client = try Firebase.client(playback, change)
            _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        }

        var requests: [HTTPRequest] { Array(playback.requests.dropFirst(2)) }
    }

    private static func finished() -> JSON {
        let done = Firebase.tokens(verified: true, factor: true)
        return ["idToken": done["idToken"] ?? .null, "refreshToken": "r", "totpAuthInfo": [:]]
    }

    private static let app: JSON = [
        "totpSessionInfo": [
            "sharedSecretKey": "JBSWY3DPEHPK3PXP", "verificationCodeLength": 6, "hashingAlgorithm": "SHA1", "periodSec": 30,
            "sessionInfo": "totp-session", "finalizeEnrollmentTime": "2026-01-01T00:05:00Z",
        ]
    ]

    @Test func appKeyIsShownAndItsFirstCodeCompletes() async throws {
        let member = try await Member(.json(Self.app), .json(Self.finished()), .json(Firebase.lookup(verified: true)))
        let begun = try await member.client.account.factors.add(.authenticatorApp(label: "Büro & \"Laptop\""))
        #expect(begun.key == "JBSWY3DPEHPK3PXP")
        let uri = try #require(begun.uri?.reveal())
        #expect(uri.hasPrefix("otpauth://totp/firebase:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=firebase"))
        #expect(begun.challenge.expiresAt == Firebase.clock.now + .seconds(300))
        let end = try await member.client.respond(to: begun.challenge.flow, with: .code("123456"))
        #expect(end.session?.assurance == .twoFactors)
        #expect(member.requests.map(\.call) == ["mfaEnrollment:start", "mfaEnrollment:finalize", "accounts:lookup"])
        #expect(member.requests[0].url.contains("/v2/accounts/"))
        #expect(member.requests[1].json?["displayName"] == "Büro & \"Laptop\"")
        #expect(
            member.requests[1].json?["totpVerificationInfo"] == ["sessionInfo": "totp-session", "verificationCode": "123456"])
    }

    @Test func phoneFactorSendsTheAppVerification() async throws {
        let member = try await Member(
            .json(["phoneSessionInfo": ["sessionInfo": "first"]]), .json(["phoneSessionInfo": ["sessionInfo": "second"]]),
            .json(Self.finished()), .json(Firebase.lookup(verified: true))
        ) { configuration in
            configuration.resendInterval = .zero
            configuration.appProof = { phone throws(AuthError) in .recaptcha(Secret("solution of \(phone)")) }
        }
        let begun = try await member.client.account.factors.add(.phone("+15551230000"))
        #expect(begun.challenge.channel == .sms && begun.challenge.destination == "+•••0000" && begun.key == nil)
        let info = member.requests[0].json?["phoneEnrollmentInfo"]
        #expect(info == ["phoneNumber": "+15551230000", "recaptchaToken": "solution of +15551230000"])
        let again = try await member.client.resend(begun.challenge.flow)
        _ = try await member.client.respond(to: again.flow, with: .code("123456"))
        #expect(member.requests[2].json?["phoneVerificationInfo"] == ["sessionInfo": "second", "code": "123456"])
    }

    @Test(arguments: [
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", AuthError.Code.reauthenticationRequired),
        ("UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.", .verificationRequired),
        ("UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.", .notEnabled),
        ("OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.", .notEnabled),
        // Firebase's emulator, which supports only phones.
        ("INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))", .notEnabled),
        ("SECOND_FACTOR_LIMIT_EXCEEDED", .invalidInput),
    ])
    func refusalsAreMapped(_ message: String, _ code: AuthError.Code) async throws {
        let member = try await Member(Firebase.refusal(message))
        #expect(try await refusal { try await member.client.account.factors.add(.authenticatorApp()) }.code == code)
    }

    @Test func enrolledFactorContinuesIfTheUserCannotBeRead() async throws {
        let member = try await Member(
            .json(Self.app), .json(Self.finished()), Firebase.refusal("INTERNAL", status: 503),
            .json(Firebase.lookup(verified: true)))
        let flow = try await member.client.account.factors.add(.authenticatorApp()).challenge.flow
        let error = try await refusal { try await member.client.respond(to: flow, with: .code("123456")) }
        #expect(error.code == .serverUnavailable)
        #expect(try await member.client.respond(to: flow, with: .code("123456")).session?.assurance == .twoFactors)
        #expect(member.requests.filter { $0.call == "mfaEnrollment:finalize" }.count == 1)
    }

    @Test func factorsAreListedAndRemoved() async throws {
        var user = try #require(Firebase.lookup(verified: true)["users"]?[0]?.object)
        user["mfaInfo"] = [
            ["mfaEnrollmentId": "m1", "displayName": "My app", "totpInfo": [:]],
            ["mfaEnrollmentId": "m2", "phoneInfo": "+15551230000", "unobfuscatedPhoneInfo": "+15551230000"],
        ]
        let member = try await Member(
            .json(["users": [.object(user)]]), .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)))
        let all = try await member.client.account.factors.all()
        #expect(all.map(\.kind) == [.authenticatorApp, .phone] && all.map(\.label) == ["My app", "+•••0000"])
        try await member.client.account.factors.remove(all[0])
        #expect(member.client.state.session?.assurance == .oneFactor)
        #expect(member.requests[1].call == "mfaEnrollment:withdraw")
        #expect(member.requests[1].json?["mfaEnrollmentId"] == "m1")
    }

    private static let app1 = FactorChoice(id: "m1", kind: .authenticatorApp)

    /// Firebase returns no tokens if it has ended the session, and no factor if an earlier response was lost.
    @Test(arguments: [HTTPResponse.json([:]), Firebase.refusal("MFA_ENROLLMENT_NOT_FOUND")])
    func aRemovalWithoutTokensReadsTheUser(_ answer: HTTPResponse) async throws {
        let member = try await Member(answer, .json(Firebase.lookup(verified: true)))
        try await member.client.account.factors.remove(Self.app1)
        #expect(member.requests.map(\.call) == ["mfaEnrollment:withdraw", "accounts:lookup"])
        #expect(member.client.state.session?.user.id == "uid-1")
    }

    @Test func removalThatEndsTheSessionSignsOut() async throws {
        let member = try await Member(
            .json([:]), Firebase.refusal("TOKEN_EXPIRED"), Firebase.refusal("TOKEN_EXPIRED"))
        #expect(try await refusal { try await member.client.account.factors.remove(Self.app1) }.code == .sessionRevoked)
        #expect(member.client.state.session == nil)
    }

    @Test func removalKeepsItsTokensIfTheUserCannotBeRead() async throws {
        var tokens = try #require(Firebase.tokens(verified: true).object)
        tokens["refreshToken"] = "newer"
        let member = try await Member(.json(.object(tokens)), Firebase.refusal("INTERNAL", status: 503))
        try await member.client.account.factors.remove(Self.app1)
        #expect(member.client.state.session?.refreshToken == "newer")
        #expect(member.client.state.session?.assurance == .oneFactor)
        let other = try await Member(.json(Firebase.tokens(id: "uid-2", verified: true)))
        #expect(try await refusal { try await other.client.account.factors.remove(Self.app1) }.code == .invalidResponse)
    }

    @Test func olderEnrollmentCodeIsAccepted() async throws {
        let member = try await Member(
            .json(["phoneSessionInfo": ["sessionInfo": "first"]]), .json(["phoneSessionInfo": ["sessionInfo": "second"]]),
            Firebase.refusal("INVALID_CODE"), .json(Self.finished()), .json(Firebase.lookup(verified: true))
        ) { $0.resendInterval = .zero }
        let begun = try await member.client.account.factors.add(.phone("+15551230000"))
        #expect(begun.challenge.expiresAt == Firebase.clock.now + .seconds(600))
        let again = try await member.client.resend(begun.challenge.flow)
        #expect(try await member.client.respond(to: again.flow, with: .code("123456")).session != nil)
        let given = member.requests[2...3].map { $0.json?["phoneVerificationInfo"]?["sessionInfo"]?.string }
        #expect(given == ["second", "first"])
    }

    /// A flow that waits for one of two phones.
    private static func pending() -> FlowMemory {
        let memory = Firebase.memory()
        memory[.pendingCredential] = "pending"
        memory[.factors] = [FactorChoice(id: "m1", kind: .phone), FactorChoice(id: "m2", kind: .phone)]
        memory[.recipients] = [FactorChoice(id: "m1", kind: .phone, label: "+15551230000")]
        return memory
    }

    @Test func olderCodeOfTheSameFactorIsAccepted() async throws {
        func sent(_ name: String) -> HTTPResponse { .json(["phoneResponseInfo": ["sessionInfo": .string(name)]]) }
        let playback = Playback(
            sent("other"), sent("first"), sent("second"), Firebase.refusal("INVALID_CODE"), .json(Self.finished()),
            .json(Firebase.lookup(verified: true)))
        let factor = SecondFactor(api: try Firebase.adapter(playback).api)
        let memory = Self.pending()
        _ = try await factor.attempt(.factor(FactorChoice(id: "m2", kind: .phone)), in: memory)
        let step = try await factor.attempt(.factor(FactorChoice(id: "m1", kind: .phone)), in: memory)
        #expect(step.challenge?.expiresAt == Firebase.clock.now + .seconds(600))
        _ = try await factor.prepare(memory)
        #expect(memory.smsSessions == ["second", "first"])
        #expect(try await factor.attempt(.code("123456"), in: memory).session?.user.id == "uid-1")
        let given = playback.requests[3...4].map { $0.json?["phoneVerificationInfo"]?["sessionInfo"]?.string }
        #expect(given == ["second", "first"])
    }

    @Test func withoutAppVerificationNoSMSIsRequested() async throws {
        let playback = Playback()
        let adapter = FirebaseAdapter(try FirebaseConfiguration(key: "k"), transport: playback, clock: Firebase.clock)
        let error = try await refusal {
            try await SecondFactor(api: adapter.api).attempt(.factor(FactorChoice(id: "m1", kind: .phone)), in: Self.pending())
        }
        #expect(error.code == .unsupported && playback.requests.isEmpty)
    }

    @Test func oldSignInCannotAddAFactor() async throws {
        let project = try FirebaseProject()
        let client = project.client()
        _ = try await client.signUp(with: project.credential)
        try await project.tap(try project.link())
        _ = try await client.refreshUser()
        project.clock.advance(by: .seconds(301))
        let factors = client.account.factors
        #expect(try await refusal { try await factors.add(.authenticatorApp()) }.code == .reauthenticationRequired)
        _ = try await client.account.reauthenticate(with: project.credential)
        let begun = try await factors.add(.authenticatorApp(label: "My app"))
        let key = try #require(begun.key?.reveal())
        let code = AuthenticatorApp(secret: key).code(at: project.clock.now)
        #expect(try await client.respond(to: begun.challenge.flow, with: .code(code)).session?.assurance == .twoFactors)
        guard case .secondFactor(let step) = try await project.client().signIn(with: project.credential) else {
            Issue.record("no second factor is asked for")
            return
        }
        #expect(step.choices.map(\.label) == ["My app"])
    }

    @Test func phoneFactorNeedsAppVerification() throws {
        var configuration = try FirebaseConfiguration(key: "k")
        let bare = FirebaseAdapter(configuration, transport: Playback())
        #expect(bare.secondFactors?.kinds == [.authenticatorApp])
        configuration.appProof = { _ throws(AuthError) in .unproven }
        #expect(FirebaseAdapter(configuration, transport: Playback()).secondFactors?.kinds == [.authenticatorApp, .phone])
    }
}
