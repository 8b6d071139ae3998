import Lockstep
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// The emulator does the work and loses the response.
///
/// A second attempt with the same code finds the result of the first.
@Suite(.limitedConcurrency)
struct LostAnswerOnServerTests {
    private static let number = "+15551230000"
    private static let actionLinks = "https://app.example.com/__/auth/action"

    /// A project, and a device of a user whose address is verified.
    private static func member() async throws -> (FirebaseProject, AuthClient) {
        let project = try FirebaseProject(
            callback: "https://app.example.com/callback", actionLinks: actionLinks)
        let client = project.client()
        _ = try await client.signUp(with: project.credential)
        try await project.tap(try project.link())
        _ = try await client.refreshUser()
        #expect(client.state.session?.user.isEmailVerified == true)
        project.clock.advance(by: .seconds(61))
        return (project, client)
    }

    /// The newest mail's link as the app gets it.
    private static func link(_ project: FirebaseProject, to email: String = FirebaseProject.email) throws -> String {
        let link = try #require(project.server.panel.outbox.mails(to: email).first?.link)
        return actionLinks + "?" + (link.split(separator: "?", maxSplits: 1).last ?? "")
    }

    private static func code(_ project: FirebaseProject) throws -> ChallengeResponse {
        .code(Secret(try #require(project.server.panel.outbox.shortMessages.first?.code)))
    }

    /// The code of a used message is `INVALID_SESSION_INFO`, that of another one `SECOND_FACTOR_EXISTS`.
    @Test(arguments: [false, true])
    func lostResponseFindsTheEnrolledPhone(_ hasTwoMessages: Bool) async throws {
        let (project, client) = try await Self.member()
        let flow = try await client.account.factors.add(.phone(Self.number, label: "Phone")).challenge.flow
        let first = try Self.code(project)
        if hasTwoMessages {
            project.clock.advance(by: .seconds(61))
            _ = try await client.resend(flow)
        }
        // The first code does not belong to the second message, whose request also loses its response.
        try project.server.panel.fail(next: hasTwoMessages ? 2 : 1, "POST", "*mfaEnrollment:finalize", with: .loseResponse)
        for _ in 0..<(hasTwoMessages ? 2 : 1) {
            #expect(try await refusal { try await client.respond(to: flow, with: first) }.code == .network)
        }
        #expect(try await client.respond(to: flow, with: try Self.code(project)).session != nil)
        #expect(try await client.account.factors.all().map(\.label) == ["Phone"])
    }

    @Test(arguments: [false, true])
    func lostResponseFindsTheLinkedNumber(_ isSentAgain: Bool) async throws {
        let (project, client) = try await Self.member()
        let flow = try #require(try await client.account.link(.phoneCode(Self.number)).challenge).flow
        try project.server.panel.fail("POST", "*signInWithPhoneNumber", with: .loseResponse)
        let code = try Self.code(project)
        #expect(try await refusal { try await client.respond(to: flow, with: code) }.code == .network)
        if isSentAgain {
            project.clock.advance(by: .seconds(61))
            _ = try await client.resend(flow)
        }
        #expect(try await client.respond(to: flow, with: code).session?.user.phone == Self.number)
    }

    /// A user with a password already has the address.
    ///
    /// Signing in with links to it is new.
    @Test(arguments: [false, true])
    func lostResponseFindsTheLinkedAddress(_ isLinkedBefore: Bool) async throws {
        let (project, client) = try await Self.member()
        if isLinkedBefore {
            _ = try await client.account.link(.emailLink(FirebaseProject.email))
            _ = await client.handle(try Self.link(project))
            project.clock.advance(by: .seconds(61))
        }
        _ = try await client.account.link(.emailLink(FirebaseProject.email))
        try project.server.panel.fail("POST", "*signInWithEmailLink", with: .loseResponse)
        let link = try Self.link(project)
        _ = await client.handle(link)
        switch await client.handle(link) {
        case .step(.complete(let session)):
            #expect(!isLinkedBefore)
            #expect(session.user.email == FirebaseProject.email)
        case .refused(let error): #expect(isLinkedBefore && error.code == .linkUsed)
        case let other: Issue.record("\(other)")
        }
    }

    /// A change of address ends the sessions.
    ///
    /// Firebase returns the same error if the first response was lost.
    @Test(arguments: [false, true])
    func lostResponseFindsTheChangedAddress(_ isLost: Bool) async throws {
        let (project, client) = try await Self.member()
        _ = try await client.account.changeEmail(to: "grace@example.com")
        let link = try Self.link(project, to: "grace@example.com")
        if isLost {
            try project.server.panel.fail("POST", "*accounts:update", with: .loseResponse)
            _ = await client.handle(link)
        }
        guard case .refused(let error) = await client.handle(link) else {
            Issue.record("the session goes on")
            return
        }
        #expect(error.code == .sessionRevoked)
        let changed = PasswordCredential(email: "grace@example.com", password: FirebaseProject.password)
        #expect(try await project.client().signIn(with: changed).session != nil)
    }

    @Test func typoInTheCodeOfANewMessageIsReported() async throws {
        let (project, _) = try await Self.member()
        let client = project.client()
        let flow = try #require(try await client.signIn(with: .phoneCode(Self.number)).challenge).flow
        try project.server.panel.fail("POST", "*signInWithPhoneNumber", with: .loseResponse)
        let first = try Self.code(project)
        _ = try await refusal { try await client.respond(to: flow, with: first) }
        project.clock.advance(by: .seconds(61))
        _ = try await client.resend(flow)
        #expect(try await refusal { try await client.respond(to: flow, with: .code("000000")) }.code == .invalidCode)
        #expect(try await client.respond(to: flow, with: try Self.code(project)).session?.user.phone == Self.number)
    }
}
