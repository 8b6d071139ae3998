import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Changes of a user, and the verification that Clerk asks for before them.
@Suite("Clerk's accounts", .limitedConcurrency)
struct AccountTests {
    @Test func deletionAsksForVerificationAndContinues() async throws {
        try await Instance.run([("REVERIFICATION", "true")]) { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            instance.advance(by: .seconds(700))
            #expect(try await refusal { try await client.account.delete() }.code == .reauthenticationRequired)
            let wrong = PasswordCredential(email: credential.email, password: "Wrong-Horse-1")
            #expect(try await refusal { try await client.account.reauthenticate(with: wrong) }.code == .invalidCredentials)
            let other = PasswordCredential(email: "eve@example.com", password: credential.password)
            #expect(try await refusal { try await client.account.reauthenticate(with: other) }.code == .userMismatch)
            _ = try await client.account.reauthenticate(with: credential, thenRetry: .deleteAccount)
            #expect(try instance.admin.userCount() == 0)
            #expect(client.state.session == nil)
        }
    }

    @Test func disabledDeletionIsReported() async throws {
        try await Instance.run([("DELETE_SELF", "false")]) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { try await client.account.delete() }.code == .notEnabled)
            #expect(client.state.session != nil)
        }
    }

    @Test func newAddressReplacesTheOldOne() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            let challenge = try #require(try await client.account.changeEmail(to: "countess@example.com").challenge)
            #expect(challenge.destination == "c•••@example.com")
            #expect(
                try await refusal { try await client.respond(to: challenge.flow, with: .code("000000")) }.code == .invalidCode)
            let code = try instance.code(for: "countess@example.com")
            let step = try await client.respond(to: challenge.flow, with: .code(code))
            #expect(step.session?.user.email == "countess@example.com")
            #expect(step.session?.user.identities.count == 1)
            let renamed = PasswordCredential(email: "countess@example.com", password: credential.password)
            #expect(try await instance.client().signIn(with: renamed).session != nil)
            #expect(try await refusal { try await instance.client().signIn(with: credential) }.code == .userNotFound)
        }
    }

    @Test func takenAddressIsRejected() async throws {
        try await Instance.run { instance in
            _ = try await instance.member("eve@example.com")
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { try await client.account.changeEmail(to: "eve@example.com") }.code == .emailAlreadyInUse)
        }
    }

    @Test func wrongCurrentPasswordChangesNothing() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            let error = try await refusal {
                try await client.account.changePassword(to: "Better-Horse-2", current: "Wrong-Horse-1")
            }
            #expect(error.code == .invalidCredentials)
            let weak = try await refusal { try await client.account.changePassword(to: "abc", current: credential.password) }
            #expect(weak.code == .weakPassword)
            #expect(weak.reasons == ["length"])
            #expect(try await instance.client().signIn(with: credential).session != nil)
        }
    }
}
