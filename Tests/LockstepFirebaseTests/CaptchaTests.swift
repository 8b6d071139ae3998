import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebase
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// reCAPTCHA Enterprise for addresses and passwords: the requests that send the token.
@Suite("Firebase's captchas", .limitedConcurrency)
struct CaptchaTests {
    private static let token = Secret(FirebaseSettings.captchaToken)

    @Test func signUpSendsTheCaptchaOnce() async throws {
        let project = try FirebaseProject()
        try project.server.emulator.admin.change { $0.asksForCaptcha = true }
        let client = project.client()
        let step = try await client.signUp(with: project.credential)
        #expect(step.accepts == [.captcha])
        // The account and its message are two requests, and one captcha is asked for.
        let next = try await client.respond(to: try #require(step.flow), with: .captcha(Self.token))
        #expect(next.challenge?.channel == .email)
        #expect(project.server.panel.outbox.mails(to: FirebaseProject.email).count == 1)
    }

    /// The names of the members, which differ by the request (Google's `SignInWithPasswordRequest`, `GetOobCodeRequest`).
    @Test(arguments: ["accounts:signUp", "accounts:signInWithPassword", "accounts:sendOobCode"])
    func captchaIsSentWithPlatformAndVersion(_ method: String) async throws {
        let playback = Playback(
            Firebase.refusal("MISSING_RECAPTCHA_TOKEN"), Firebase.refusal("OPERATION_NOT_ALLOWED"))
        let client = try Firebase.client(playback) { $0.captchaClient = .web }
        let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
        let step =
            switch method {
            case "accounts:signUp": try await client.signUp(with: credential)
            case "accounts:signInWithPassword": try await client.signIn(with: credential)
            default: try await client.requestPasswordReset(email: credential.email)
            }
        let flow = try #require(step.flow)
        await #expect(throws: AuthError.self) { try await client.respond(to: flow, with: .captcha("token")) }
        let requests = playback.requests
        #expect(requests.count == 2 && requests.allSatisfy { $0.url.hasSuffix(method) || $0.url.contains(method + "?") })
        let body = try JSON.parse(try #require(requests.last).body.bytes)
        #expect(body[method == "accounts:sendOobCode" ? "captchaResp" : "captchaResponse"] == "token")
        #expect(body["clientType"] == "CLIENT_TYPE_WEB" && body["recaptchaVersion"] == "RECAPTCHA_ENTERPRISE")
    }
}
