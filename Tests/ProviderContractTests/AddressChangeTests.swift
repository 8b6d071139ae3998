import Lockstep
import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A change of address, and its effects on the old one, over real HTTP.
@Suite("A change of address", .limitedConcurrency)
struct AddressChangeTests {
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]
    private static let (old, new) = ("ada@example.com", "countess@example.com")

    @Test("the old address is notified, the new one verified, and messages to the old one are void", arguments: [0, 1, 2])
    func notifiesTheOldAddressAndEndsItsLinks(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = try await environment.member(Self.old)
            let forgetful = environment.app()
            let reset = try await forgetful.requestPasswordReset(email: Self.old)
            let stale = try await environment.proof(to: Self.old, for: reset)
            let told = try await environment.messages(to: Self.old).count

            var step = try await client.account.changeEmail(to: Self.new)
            // Nothing changes before the new address is verified.
            #expect(try await client.refreshUser().email == Self.old)
            let early = PasswordCredential(email: Self.new, password: TestEnvironment.password)
            #expect(try await refusal { try await environment.app().signIn(with: early) } != nil)

            let user = try #require(client.state.session?.user.id)
            let halves = [Self.new] + (try await environment.messages(to: Self.old).count > told ? [Self.old] : [])
            do {
                for address in halves {
                    let proof = try await environment.proof(to: address, for: step)
                    step = try await client.respond(to: try #require(step.flow), with: proof)
                }
            } catch let error as AuthError where error.code == .sessionRevoked && harness.name == "firebase" {
                // Firebase ends every session with a change of address, including the one that requested it.
            }
            #expect(
                try await environment.messages(to: Self.old).count == told + 1, "the old address is not notified of the change")
            #expect(try await environment.app().signIn(with: early).session?.user.id == user)
            let former = PasswordCredential(email: Self.old, password: TestEnvironment.password)
            #expect(try await refusal { try await environment.app().signIn(with: former) } != nil)

            let dead = try await refusal {
                var step = try await forgetful.respond(to: try #require(reset.flow), with: stale)
                step = try await forgetful.respond(to: try #require(step.flow), with: .newPassword("Mallorys-Horse-2"))
            }
            #expect(dead != nil, "a link that was sent to the old address still sets a password")
            #expect(forgetful.state.session == nil)
            #expect(try await environment.app().signIn(with: early).session?.user.id == user)
        }
    }
}
