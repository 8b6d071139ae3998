import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Single-use codes whose response was lost.
///
/// A second attempt finds the result of the first, or reports that the code was used.
@Suite(.limitedConcurrency)
struct LostAnswerTests {
    private static let page = "https://accounts.example.com/auth?client_id=c&state=state-1"
    private static let callback = "https://app.example.com/callback?state=state-1&code=code-1"
    private static let begun: HTTPResponse = .json(["authUri": .string(page), "sessionId": "told", "providerId": "google.com"])
    private static let lost: HTTPResponse = .json(503, ["error": "the backend has done it, and the gateway says this"])
    private static let spent = Firebase.refusal("INVALID_IDP_RESPONSE : Error getting verification code")

    /// A client whose user is signed in with an address and a password.
    private static func member(_ answers: [HTTPResponse]) async throws -> (AuthClient, Playback) {
        let playback = Playback([.json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true))] + answers)
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        return (client, playback)
    }

    /// The user object, with more members.
    private static func user(_ members: JSONObject) -> HTTPResponse {
        guard var user = Firebase.lookup(verified: true)["users"]?[0]?.object else { return .json([:]) }
        for (name, value) in members { user[name] = value }
        return .json(["users": [.object(user)]])
    }

    private static let renewed: HTTPResponse = {
        let tokens = Firebase.tokens(verified: true)
        return .json([
            "id_token": tokens["idToken"] ?? .null, "refresh_token": "r", "expires_in": "3600", "token_type": "Bearer",
            "user_id": "uid-1",
        ])
    }()

    @Test func identityLinkedByAPageIsFound() async throws {
        let linked: JSON = [["providerId": "google.com", "rawId": "g-1"], ["providerId": "password", "rawId": "x"]]
        let (client, playback) = try await Self.member([
            Self.user([:]), Self.begun, Self.lost, Self.spent, Self.user(["providerUserInfo": linked]), Self.renewed,
        ])
        _ = try await client.account.link(.oauth(.google))
        guard case .refused(let error) = await client.handle(Self.callback) else {
            Issue.record("the lost answer is none")
            return
        }
        #expect(error.code == .serverUnavailable)
        guard case .step(.complete(let session)) = await client.handle(Self.callback) else {
            Issue.record("the link is not found")
            return
        }
        #expect(session.user.identities.contains { $0.provider == .google })
        #expect(playback.requests.count == 8)
    }

    /// The client's user is older: another device can have added the identity since.
    @Test(arguments: [true, false])
    func identityThatWasNotAddedIsNotFound(_ hadOne: Bool) async throws {
        let own: JSON = [["providerId": "google.com", "rawId": "g-1"], ["providerId": "password", "rawId": "x"]]
        let user = hadOne ? Self.user(["providerUserInfo": own]) : Self.user([:])
        let (client, _) = try await Self.member([user, Self.begun, Self.lost, Self.spent, user])
        _ = try await client.account.link(.oauth(.google))
        _ = await client.handle(Self.callback)
        guard case .refused(let error) = await client.handle(Self.callback) else {
            Issue.record("a link is found that is not there")
            return
        }
        #expect(error.code == .linkUsed && error.remedies == [.startAgain])
    }

    @Test func signInByAPageIsReportedAsUsed() async throws {
        let client = try Firebase.client(Playback(Self.begun, Self.lost, Self.spent))
        _ = try await client.signIn(with: .oauth(.google))
        _ = await client.handle(Self.callback)
        guard case .refused(let error) = await client.handle(Self.callback) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == .linkUsed && error.remedies == [.startAgain])
    }

    private static let app: HTTPResponse = .json([
        "totpSessionInfo": ["sharedSecretKey": "JBSWY3DPEHPK3PXP", "sessionInfo": "totp-session"]
    ])

    /// Another device can add an app with the same name meanwhile.
    ///
    /// Firebase does not tell the keys apart.
    @Test func authenticatorAppIsNeverFound() async throws {
        let (client, playback) = try await Self.member([Self.app, Self.lost, Firebase.refusal("INVALID_SESSION_INFO")])
        let flow = try await client.account.factors.add(.authenticatorApp(label: "Phone")).challenge.flow
        _ = try await refusal { try await client.respond(to: flow, with: .code("111111")) }
        let error = try await refusal { try await client.respond(to: flow, with: .code("222222")) }
        #expect(error.code == .codeUsed && error.remedies == [.startAgain])
        // Two requests for the sign-in, one for the start, two for the codes. The client does not read the user's apps.
        #expect(playback.requests.count == 5)
    }

    @Test(
        arguments: [
            [["mfaEnrollmentId": "new", "displayName": "Phone", "totpInfo": [:]]],
            [["mfaEnrollmentId": "new", "displayName": "Phone", "phoneInfo": "+15551239999"]],
            [["mfaEnrollmentId": "new", "displayName": "Other", "phoneInfo": "+15551230000"]], [],
        ] as [[JSON]])
    func otherPhoneIsNotFound(_ factors: [JSON]) async throws {
        let (client, _) = try await Self.member([
            .json(["phoneSessionInfo": ["sessionInfo": "sms"]]), Self.lost, Firebase.refusal("INVALID_SESSION_INFO"),
            Self.user(["mfaInfo": .array(factors)]),
        ])
        let flow = try await client.account.factors.add(.phone("+15551230000", label: "Phone")).challenge.flow
        _ = try await refusal { try await client.respond(to: flow, with: .code("111111")) }
        #expect(try await refusal { try await client.respond(to: flow, with: .code("111111")) }.code == .codeExpired)
    }

    @Test(arguments: HTTPFailure.Phase.allCases)
    func unsentRequestIsNotALostResponse(_ phase: HTTPFailure.Phase) async throws {
        let memory = Firebase.memory(.signIn, .phoneCode)
        _ = try await refusal {
            try await memory.sending("proof") { () async throws(AuthError) -> AuthStep in
                throw AuthError(.network, "No network.", underlying: HTTPFailure(.cannotConnect, phase, "No network."))
            }
        }
        #expect(memory.mayHaveCounted("proof") == (phase != .neverSent))
    }

    @Test func withoutALostResponseNoUserIsRead() async throws {
        let (client, playback) = try await Self.member([Self.app, Firebase.refusal("INVALID_SESSION_INFO")])
        let flow = try await client.account.factors.add(.authenticatorApp(label: "Phone")).challenge.flow
        #expect(try await refusal { try await client.respond(to: flow, with: .code("111111")) }.code == .codeExpired)
        #expect(playback.requests.count == 4)
    }

    @Test func codeOrLinkAfterALostResponseIsReportedAsUsed() async throws {
        let phone = Firebase.memory(.signIn, .phoneCode)
        phone[.phone] = "+15551230000"
        phone.rememberSMS("message")
        let codes = CodeVerification(
            api: try Firebase.adapter(Playback(Self.lost, Firebase.refusal("INVALID_SESSION_INFO"))).api)
        _ = try await refusal { try await codes.attempt(.code("123456"), in: phone) }
        #expect(try await refusal { try await codes.attempt(.code("123456"), in: phone) }.code == .codeUsed)
        phone.rememberSMS("newer")
        let wrong = Playback(Firebase.refusal("INVALID_CODE"), Firebase.refusal("INVALID_SESSION_INFO"))
        let typo = CodeVerification(api: try Firebase.adapter(wrong).api)
        #expect(try await refusal { try await typo.attempt(.code("999999"), in: phone) }.code == .invalidCode)
        #expect(wrong.requests.count == 2)
        let mail = Firebase.memory(.signIn, .emailLinkSignIn)
        mail[.email] = "ada@example.com"
        let links = LinkVerification(api: try Firebase.adapter(Playback(Self.lost, Firebase.refusal("INVALID_OOB_CODE"))).api)
        let link = ChallengeResponse.link(Firebase.links + "?mode=signIn&oobCode=c")
        _ = try await refusal { try await links.attempt(link, in: mail) }
        #expect(try await refusal { try await links.attempt(link, in: mail) }.code == .linkUsed)
    }

    @Test func verifiedAddressIsFound() async throws {
        let inspected: HTTPResponse = .json(["email": "ada@example.com", "requestType": "VERIFY_EMAIL"])
        let playback = Playback(
            .json(Firebase.tokens(verified: false)), .json(Firebase.lookup(verified: false)), .json(["email": "ada@example.com"]),
            inspected, Self.lost, Firebase.refusal("INVALID_OOB_CODE"), .json(Firebase.lookup(verified: true)), Self.renewed)
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let link = Firebase.links + "?mode=verifyEmail&oobCode=c"
        _ = await client.handle(link)
        guard case .step(.complete(let session)) = await client.handle(link) else {
            Issue.record("the proof is not found")
            return
        }
        #expect(session.user.isEmailVerified)
    }
}
