import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Bot sign-up protection: the requests that send the captcha's token.
@Suite("Clerk's captchas", .limitedConcurrency)
struct CaptchaTests {
    private static let settings: [(name: String, value: String)] = [("CAPTCHA", "true")]
    private static let token: Secret = "XXXX.DUMMY.TOKEN.XXXX"

    @Test func signUpSendsTheCaptcha() async throws {
        try await Instance.run(Self.settings) { instance in
            let client = try instance.client()
            let step = try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
            #expect(step.accepts == [.captcha])
            let next = try await client.respond(to: try #require(step.flow), with: .captcha(Self.token))
            let end = try await client.respond(
                to: try #require(next.flow), with: .code(try instance.code(for: "ada@example.com")))
            #expect(end.session?.user.email == "ada@example.com")
            // A user with an account needs none.
            #expect(
                try await instance.client().signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1")).accepts
                    != [.captcha])
        }
    }

    /// The page's nonce is valid once, and the captcha is asked for after it.
    ///
    /// The client repeats the rest of the call without the nonce.
    @Test func newUserFromAProvidersPageSendsTheCaptcha() async throws {
        let github = LockstepClerkEmulator.IdentityProvider(name: "github", issuer: "https://github.example")
        try await Instance.run(Self.settings, { $0.providers = [github] }) { instance in
            let client = try instance.client()
            guard case .redirect(let page) = try await client.signIn(with: .oauth(.github)) else {
                Issue.record("The sign-in is no round trip.")
                return
            }
            let back = try await instance.browse(page.url + "&sub=gh-1&email=ada@example.com&given_name=Ada")
            guard case .step(let step) = await client.handle(back) else {
                Issue.record("The page leads to no step.")
                return
            }
            let flow = try #require(step.flow)
            #expect(step.accepts == [.captcha])
            #expect(try await client.respond(to: flow, with: .captcha("wrong")).accepts == [.captcha])
            try instance.server.panel.fail(next: 1, "POST", "*/client/sign_ups*", with: .close)
            #expect(try await refusal { try await client.respond(to: flow, with: .captcha(Self.token)) }.code == .network)
            let end = try await client.respond(to: flow, with: .captcha(Self.token))
            #expect(end.session?.user.identities.contains { $0.provider == .github } == true)
        }
    }
}
