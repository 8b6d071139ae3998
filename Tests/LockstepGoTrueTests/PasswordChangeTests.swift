import Lockstep
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// A password change if the project requires a recent sign-in or a code.
@Suite(.limitedConcurrency)
struct PasswordChangeTests {
    private static let new: Secret = "Better-Horse-2"

    private func project() throws -> Project {
        let project = try Project { $0.passwords.requiresReauthentication = true }
        try project.ada()
        return project
    }

    /// A client whose sign-in is 25 hours old.
    private func old(_ project: Project) async throws -> AuthClient {
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        project.advance(by: .seconds(25 * 3600))
        return client
    }

    private func code(_ project: Project) throws -> Secret {
        let mail = try #require(project.server.panel.outbox.mails(to: Project.email).first)
        return Secret(String(mail.subject.prefix { $0.isNumber }))
    }

    @Test func recentSignInNeedsNoCode() async throws {
        let project = try project()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        #expect(try await client.account.beginPasswordChange(to: Self.new).session != nil)
    }

    @Test func oldSignInIsRejectedWithRemedies() async throws {
        let project = try project()
        let client = try await old(project)
        let error = try await refusal { try await client.account.changePassword(to: Self.new) }
        #expect(error.code == .reauthenticationRequired)
        #expect(error.remedies == [.reauthenticate([.password, .emailCodeSignIn, .emailLinkSignIn])])
    }

    @Test func theCodeSetsThePasswordOnce() async throws {
        let project = try project()
        let client = try await old(project)
        let step = try await client.account.beginPasswordChange(to: Self.new)
        let challenge = try #require(step.challenge)
        #expect(challenge.accepts == [.code])
        #expect(challenge.destination == "a•••@example.com")

        let wrong = try await refusal { try await client.respond(to: challenge.flow, with: .code("000000")) }
        #expect(wrong.code == .invalidCode)
        project.advance(by: .seconds(60))
        _ = try await client.resend(challenge.flow)
        let right = try code(project)
        #expect(try await client.respond(to: challenge.flow, with: .code(right)).session != nil)
        let again = try await refusal { try await client.respond(to: challenge.flow, with: .code(right)) }
        #expect(again.code == .flowNotFound)
        _ = try await client.refreshUser()
        #expect(try await project.client().signIn(with: .password(email: Project.email, password: Self.new)).session != nil)
    }

    /// The server uses up the code with the first request, and rejects the second.
    @Test func lostResponseIsNotAnError() async throws {
        let project = try Project { $0.passwords.requiresReauthentication = true }
        let id = try project.ada()
        let client = try await old(project)
        let challenge = try #require(try await client.account.beginPasswordChange(to: Self.new).challenge)
        let right = try code(project)
        try project.server.panel.fail(next: 1, "PUT", "/user", with: .loseResponse)
        #expect(try await refusal { try await client.respond(to: challenge.flow, with: .code(right)) }.code == .network)
        let before = try project.admin.countSessions(of: id)
        #expect(try await client.respond(to: challenge.flow, with: .code(right)).session?.user.id == id)
        #expect(try project.admin.countSessions(of: id) == before)
        #expect(try await client.refreshUser().id == id)
        #expect(try await project.client().signIn(with: .password(email: Project.email, password: Self.new)).session != nil)
    }

    /// The adapter checks the password by a sign-in, which requires a captcha here.
    @Test func lostResponseIsNotAnErrorWithACaptcha() async throws {
        let project = try Project { $0.passwords.requiresReauthentication = true }
        let id = try project.ada()
        let client = try await old(project)
        let flow = try #require(try await client.account.beginPasswordChange(to: Self.new).challenge).flow
        let right = try code(project)
        project.admin.change { $0.asksForCaptcha = true }
        try project.server.panel.fail(next: 1, "PUT", "/user", with: .loseResponse)
        #expect(try await refusal { try await client.respond(to: flow, with: .code(right)) }.code == .network)
        #expect(try await client.respond(to: flow, with: .code(right)).accepts == [.captcha])
        #expect(try await client.respond(to: flow, with: .captcha("XXXX.DUMMY.TOKEN.XXXX")).session?.user.id == id)
    }

    @Test func wrongCodeAfterALostRequestIsReported() async throws {
        let project = try project()
        let client = try await old(project)
        let challenge = try #require(try await client.account.beginPasswordChange(to: Self.new).challenge)
        let right = try code(project)
        try project.server.panel.fail(next: 1, "PUT", "/user", with: .close)
        #expect(try await refusal { try await client.respond(to: challenge.flow, with: .code(right)) }.code == .network)
        #expect(try await refusal { try await client.respond(to: challenge.flow, with: .code("000000")) }.code == .invalidCode)
        let early = PasswordCredential(email: Project.email, password: Self.new)
        #expect(try await refusal { try await project.client().signIn(with: early) }.code == .invalidCredentials)
        #expect(try await client.respond(to: challenge.flow, with: .code(right)).session != nil)
        #expect(try await project.client().signIn(with: early).session != nil)
    }

    @Test func passwordIsNotStoredAndAskedForAfterARelaunch() async throws {
        let project = try project()
        let store = MemorySessionStore()
        let client = project.client(store: store)
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        project.advance(by: .seconds(25 * 3600))
        _ = try await client.account.beginPasswordChange(to: Self.new)
        try await expectNoPassword(in: store)

        let second = project.client(store: store)
        await second.restore()
        let flow = try #require(second.pending?.flow)
        let right = try code(project)
        let step = try await second.respond(to: flow, with: .code(right))
        #expect(step.accepts == [.newPassword])
        try await expectNoPassword(in: store)

        // Once more: the code is lost with the process, and the password comes first.
        let third = project.client(store: store)
        await third.restore()
        let asked = try await third.respond(to: flow, with: .newPassword(Self.new))
        #expect(asked.challenge?.accepts == [.code])
        try await expectNoPassword(in: store)
        #expect(try await third.respond(to: flow, with: .code(right)).session != nil)
        try await expectNoPassword(in: store)
        #expect(try await project.client().signIn(with: .password(email: Project.email, password: Self.new)).session != nil)
    }

    @Test func wrongCodeIsAskedForAgainAfterThePassword() async throws {
        let project = try project()
        let store = MemorySessionStore()
        let client = project.client(store: store)
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        project.advance(by: .seconds(25 * 3600))
        _ = try await client.account.beginPasswordChange(to: Self.new)
        let second = project.client(store: store)
        await second.restore()
        let flow = try #require(second.pending?.flow)
        _ = try await second.respond(to: flow, with: .code("000000"))
        #expect(try await refusal { try await second.respond(to: flow, with: .newPassword(Self.new)) }.code == .invalidCode)
        #expect(try await second.respond(to: flow, with: .newPassword(Self.new)).challenge?.accepts == [.code])
        #expect(try await second.respond(to: flow, with: .code(try code(project))).session != nil)
    }

    private func expectNoPassword(in store: MemorySessionStore) async throws {
        for key in try await store.keys() {
            let text = String(decoding: try await store.load(key)?.bytes ?? [], as: UTF8.self)
            #expect(!text.contains(Self.new.reveal()) && !text.contains(Project.password.reveal()), "\(key.slot)")
        }
    }

    @Test func userWithoutAnAddressGetsTheCodeBySMS() async throws {
        let project = try project()
        let client = project.client()
        let step = try await client.signIn(with: .phoneCode("+15551230003"))
        let outbox = project.server.panel.outbox
        let first = try #require(outbox.shortMessages.first?.code)
        _ = try await client.respond(to: try #require(step.flow), with: .code(Secret(first)))
        project.advance(by: .seconds(25 * 3600))
        let change = try await client.account.beginPasswordChange(to: Self.new)
        #expect(change.challenge?.channel == .sms)
        let code = try #require(outbox.shortMessages.first?.code)
        #expect(try await client.respond(to: try #require(change.flow), with: .code(Secret(code))).session != nil)
    }

    /// By default the server accepts any current password.
    ///
    /// The adapter checks it, and keeps no session of the check.
    @Test func aWrongCurrentPasswordIsRejectedByDefault() async throws {
        let project = try Project()
        let id = try project.ada()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        let error = try await refusal { try await client.account.changePassword(to: Self.new, current: "Wrong-Horse-1") }
        #expect(error.code == .invalidCredentials)
        #expect(try project.admin.countSessions(of: id) == 1)
        #expect(try await project.session().user.id == id)
        // The new password is rejected after the check of the current one, and the session of that check is also gone.
        let before = try project.admin.countSessions(of: id)
        #expect(
            try await refusal { try await client.account.changePassword(to: "x", current: Project.password) }.code
                == .weakPassword)
        #expect(try project.admin.countSessions(of: id) == before)
        try await client.account.changePassword(to: Self.new, current: Project.password)
        #expect(try project.admin.countSessions(of: id) == 1)
        _ = try await client.refreshUser()
        #expect(try await project.client().signIn(with: .password(email: Project.email, password: Self.new)).session != nil)
    }

    @Test func accountWithoutAPasswordNeedsNoCurrentOne() async throws {
        let project = try Project()
        let client = project.client()
        let step = try await client.signIn(with: .phoneCode("+15551230003"))
        let code = try #require(project.server.panel.outbox.shortMessages.first?.code)
        _ = try await client.respond(to: try #require(step.flow), with: .code(Secret(code)))
        #expect(
            try await refusal { try await client.account.changePassword(to: Self.new, current: Project.password) }.code
                == .invalidCredentials)
        try await client.account.changePassword(to: Self.new)
        // The adapter checks a number with its password in the same way.
        #expect(
            try await refusal { try await client.account.changePassword(to: "Third-Horse-3", current: Project.password) }.code
                == .invalidCredentials)
        try await client.account.changePassword(to: "Third-Horse-3", current: Self.new)

        let guest = project.client()
        _ = try await guest.signIn(with: .anonymous)
        #expect(
            try await refusal { try await guest.account.changePassword(to: Self.new, current: Project.password) }.code
                == .invalidCredentials)
    }

    @Test func secondFactorDoesNotPreventAPasswordChange() async throws {
        let project = try Project()
        let id = try project.ada()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        let factor = try project.admin.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: id)
        #expect(
            try await refusal { try await client.account.changePassword(to: Self.new, current: "Wrong-Horse-1") }.code
                == .invalidCredentials)
        // GoTrue requires two factors for the change itself. The current password was right.
        #expect(
            try await refusal { try await client.account.changePassword(to: Self.new, current: Project.password) }.code
                == .secondFactorRequired)
        #expect(factor.secret?.isEmpty == false)
        #expect(try project.admin.countSessions(of: id) == 1)
    }

    @Test func currentPasswordIsRequiredIfConfigured() async throws {
        let project = try Project { $0.passwords.requiresCurrent = true }
        try project.ada()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        #expect(try await refusal { try await client.account.changePassword(to: Self.new) }.code == .reauthenticationRequired)
        #expect(
            try await refusal { try await client.account.changePassword(to: Self.new, current: "Wrong-Horse-1") }.code
                == .invalidCredentials)
        try await client.account.changePassword(to: Self.new, current: Project.password)
    }
}
