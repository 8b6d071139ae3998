import Lockstep
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Attack protection: the requests that send the captcha's token, and those that cannot.
@Suite("GoTrue's captchas", .limitedConcurrency)
struct CaptchaTests {
    private static let token: Secret = "XXXX.DUMMY.TOKEN.XXXX"
    private let credential = PasswordCredential(email: Project.email, password: Project.password)

    private func refusal(_ body: () async throws(AuthError) -> some Sendable) async -> AuthError? {
        do throws(AuthError) {
            _ = try await body()
            return nil
        } catch { return error }
    }

    /// The server checks the password of an unverified account before it sends a message, and again at every call.
    @Test func messageToAnUnverifiedAccountNeedsAnotherCaptcha() async throws {
        let project = try Project { $0.asksForCaptcha = true }
        _ = try project.admin.createUser(email: Project.email, password: Project.password, isConfirmed: false)
        let client = project.client()
        let first = try #require(try await client.signIn(with: credential).flow)
        // The password is right. The message needs its own captcha.
        #expect(try await client.respond(to: first, with: .captcha(Self.token)).accepts == [.captcha])
        try project.server.panel.fail(next: 1, "POST", "*/resend*", with: .close)
        #expect(
            await refusal { () async throws(AuthError) in
                try await client.respond(to: first, with: .captcha(Self.token))
            }?.code == .network)

        let wrong = PasswordCredential(email: Project.email, password: "Another-Horse-2")
        let other = try #require(try await client.signIn(with: wrong).flow)
        #expect(
            await refusal { () async throws(AuthError) in
                try await client.respond(to: other, with: .captcha(Self.token))
            }?.code == .invalidCredentials)
        #expect(project.server.panel.outbox.mails(to: Project.email).isEmpty)

        project.advance(by: .seconds(1))
        let again = try #require(try await client.signIn(with: credential).flow)
        _ = try await client.respond(to: again, with: .captcha(Self.token))
        let sent = try await client.respond(to: again, with: .captcha(Self.token))
        #expect(sent.challenge?.channel == .email)
        #expect(project.server.panel.outbox.mails(to: Project.email).count == 1)
    }

    /// That call has no step.
    ///
    /// A new sign-in has one, and the change is made with it.
    @Test func checkedPasswordIsNotSentAgain() async throws {
        let project = try Project()
        try project.ada()
        let client = project.client()
        _ = try await client.signIn(with: credential)
        project.admin.change { $0.asksForCaptcha = true }
        let new: Secret = "Battery-Staple-2"
        let error = await refusal { () async throws(AuthError) in
            try await client.account.changePassword(to: new, current: Project.password)
        }
        #expect(error?.code == .captchaRequired && error?.remedies == [.reauthenticate([.password])])
        let step = try await client.account.reauthenticate(with: credential, thenRetry: .changePassword(to: new, current: nil))
        _ = try await client.respond(to: try #require(step.flow), with: .captcha(Self.token))
        let other = project.client()
        let entry = try await other.signIn(with: .password(email: Project.email, password: new))
        #expect(entry.accepts == [.captcha])
        let end = try await other.respond(to: try #require(entry.flow), with: .captcha(Self.token))
        #expect(end.session?.user.email == Project.email)
    }
}
