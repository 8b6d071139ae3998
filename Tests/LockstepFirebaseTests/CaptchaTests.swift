import Lockstep
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// reCAPTCHA Enterprise for addresses and passwords: which requests bring the token.
@Suite("Firebase's captchas", .limitedConcurrency)
struct CaptchaTests {
    private static let token = Secret(FirebaseSettings.captchaToken)

    @Test func aSignUpBringsItOnce() async throws {
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
}
