import Lockstep
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// The effects of the callback URL, on an emulator that rejects the same URLs as Firebase.
@Suite(.limitedConcurrency)
struct CallbackAddressTests {
    /// Firebase does not accept a custom scheme as `continueUrl`, and reports this only after it has created the account.
    @Test func customSchemeIsNeverSentAndEverythingElseWorks() async throws {
        let project = try FirebaseProject(callback: "myapp://auth/callback")
        #expect(!project.adapter.capabilities.contains(.emailLinkSignIn))
        let client = project.client()
        let step = try await client.signUp(with: project.credential, displayName: "Ada")
        let challenge = try #require(step.challenge)
        #expect(challenge.accepts == [.poll])
        #expect(challenge.ending == nil)

        // The address is not verified yet: the sign-in on another device asks for verification, too.
        project.clock.advance(by: .seconds(31))
        #expect(try await project.client().signIn(with: project.credential).challenge?.flow.kind == .confirmation)

        try await project.tap(project.link())
        let session = try #require(try await client.respond(to: challenge.flow, with: .poll).session)
        #expect(session.user.isEmailVerified)
        #expect(session.user.displayName == "Ada")
    }

    @Test(arguments: [nil, "myapp://auth/callback", "https://app.example.com/callback"])
    func withoutActionLinksAResetCompletesOnThePage(_ callback: String?) async throws {
        let project = try FirebaseProject(callback: callback)
        let client = project.client()
        _ = try await client.signUp(with: project.credential)
        try await project.tap(project.link())

        let other = project.client()
        let step = try await other.requestPasswordReset(email: FirebaseProject.email)
        let challenge = try #require(step.challenge)
        #expect(challenge.accepts.isEmpty)
        #expect(challenge.ending == .webPage)
        project.clock.advance(by: .seconds(31))
        #expect(try await other.resend(challenge.flow).ending == .webPage)

        try await project.tap(project.link(), [(name: "newPassword", value: "Better-Horse-2")])
        let entered = try await other.signIn(with: .password(email: FirebaseProject.email, password: "Better-Horse-2"))
        #expect(entered.session != nil)
        #expect(other.pending == nil)
    }

    @Test func resetInTheAppUsesTheLink() async throws {
        let project = try FirebaseProject(actionLinks: "https://app.example.com/__/auth/action")
        _ = try await project.client().signUp(with: project.credential)
        let challenge = try await project.client().requestPasswordReset(email: FirebaseProject.email).challenge
        #expect(challenge?.accepts == [.link])
        #expect(challenge?.ending == nil)
    }

    /// Only Firebase can find out that a domain is not authorized, and by then it has created the account.
    @Test func failedSignUpReportsTheCreatedAccountAndContinues() async throws {
        let project = try FirebaseProject(callback: "https://other.example.com/callback")
        let client = project.client()
        let error = try await refusal { try await client.signUp(with: project.credential, displayName: "Ada") }
        #expect(error.code == .invalidConfiguration)
        #expect(error.completed == ["account"])
        #expect(error.remedies == [.startAgain])
        #expect(client.state == .signedOut(.neverSignedIn))

        try project.server.emulator.admin.change { $0.authorizedDomains = ["other.example.com"] }
        let step = try await client.signUp(with: project.credential, displayName: "Ada")
        #expect(step.challenge?.accepts == [.poll])
        #expect(client.state.session?.user.displayName == "Ada")
        let users = try await project.client().signIn(with: project.credential).challenge
        #expect(users?.flow.kind == .confirmation)
    }
}
