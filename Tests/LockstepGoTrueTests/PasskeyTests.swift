import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// Passkeys: the app sends the signed result of the platform's sheet.
@Suite(.limitedConcurrency)
struct PasskeyTests {
    private let project: Project
    private let userID: String

    init() throws {
        project = try Project { $0.passkeys.isEnabled = true }
        userID = try project.ada()
    }

    private func sheet(_ ceremony: JSON, _ step: AuthStep, seed: JSON = "a") throws -> ChallengeResponse {
        let options = try #require(step.challenge?.passkeyOptions)
        return .passkey(
            SoftwarePasskey([
                "do": ceremony, "seed": seed, "challenge": options["challenge"] ?? .null, "count": 1, "user": .string(userID),
            ]).credential)
    }

    /// A device whose user has added a passkey to the account.
    private func registered() async throws -> AuthClient {
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        let step = try await client.account.link(.passkey)
        #expect(step.accepts == [.passkey])
        let done = try await client.respond(to: try #require(step.flow), with: try sheet("create", step))
        #expect(done.session?.user.id == userID)
        return client
    }

    @Test func passkeyIsAddedAndSignsIn() async throws {
        _ = try await registered()
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        #expect(step.challenge?.channel == .passkey)
        #expect(try #require(step.challenge?.expiresAt) - project.clock.now == .seconds(300))
        let session = try await other.respond(to: try #require(step.flow), with: try sheet("get", step)).session
        #expect(session?.user.id == userID)
        #expect(session?.goTrue.methods.map(\.name) == ["passkey"])
    }

    @Test func unknownPasskeyIsRejected() async throws {
        _ = try await registered()
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        let flow = try #require(step.flow)
        let error = try await refusal { try await other.respond(to: flow, with: try sheet("get", step, seed: "b")) }
        #expect(error.code == .invalidCredentials)
        // The server accepts one attempt for each challenge.
        let again = try await refusal { try await other.respond(to: flow, with: try sheet("get", step)) }
        #expect(again.code == .codeUsed)
        #expect(again.remedies == [.startAgain])
    }

    @Test func oldChallengeIsRejected() async throws {
        _ = try await registered()
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        project.advance(by: .seconds(301))
        let error = try await refusal { try await other.respond(to: try #require(step.flow), with: try sheet("get", step)) }
        #expect(error.code == .codeExpired)
    }

    @Test func passkeyRenewsASignIn() async throws {
        let client = try await registered()
        let step = try await client.account.reauthenticate(with: .passkey)
        let done = try await client.respond(to: try #require(step.flow), with: try sheet("get", step))
        #expect(done.session?.user.id == userID)
        // The previous session ends after the response.
        await client.settle()
        #expect(try project.admin.countSessions(of: userID) == 1)
    }

    @Test func passkeyNeedsAnExistingAccount() async throws {
        #expect(try await refusal { try await project.client().signUp(with: .passkey) }.code == .unsupported)
        let guest = project.client()
        _ = try await guest.signIn(with: .anonymous)
        #expect(try await refusal { try await guest.signIn(with: .passkey) }.code == .anonymousUserWouldBeLost)
    }

    @Test func disabledPasskeysAreReported() async throws {
        project.admin.change { $0.passkeys.isEnabled = false }
        #expect(try await refusal { try await project.client().signIn(with: .passkey) }.code == .notEnabled)
    }
}
