import Lockstep
import LockstepClerkBench
import LockstepContracts
import LockstepFirebaseBench
import LockstepGoTrueBench
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A change of address, and what becomes of the old one, over real HTTP.
@Suite("A change of address", .limitedConcurrency)
struct AddressChangeTests {
    private static let benches: [any Bench] = [FirebaseBench(), GoTrueBench(), ClerkBench()]
    private static let (old, new) = ("ada@example.com", "countess@example.com")

    /// Cases: B16.
    @Test("is told to the old address, proven by the new one, and ends what was sent to the old one", arguments: [0, 1, 2])
    func tellsTheOldAddressAndEndsItsLinks(_ place: Int) async throws {
        let bench = Self.benches[place]
        try await bench.withStage(bench.variants[0]) { stage in
            let client = try await stage.member(Self.old)
            let forgetful = stage.app()
            let reset = try await forgetful.requestPasswordReset(email: Self.old)
            let stale = try await stage.proof(to: Self.old, for: reset)
            let told = try await stage.messages(to: Self.old).count

            var step = try await client.account.changeEmail(to: Self.new)
            // Nothing has changed before the new address is proven.
            #expect(try await client.refreshUser().email == Self.old)
            let early = PasswordCredential(email: Self.new, password: Stage.password)
            #expect(try await refusal { try await stage.app().signIn(with: early) } != nil)

            let user = try #require(client.state.session?.user.id)
            let halves = [Self.new] + (try await stage.messages(to: Self.old).count > told ? [Self.old] : [])
            do {
                for address in halves {
                    let proof = try await stage.proof(to: address, for: step)
                    step = try await client.proceed(try #require(step.flow), with: proof)
                }
            } catch let error as AuthError where error.code == .sessionRevoked && bench.name == "firebase" {
                // Firebase ends every session with a change of address, the one that asked for it too.
            }
            #expect(try await stage.messages(to: Self.old).count == told + 1, "the old address is not notified of the change")
            #expect(try await stage.app().signIn(with: early).session?.user.id == user)
            let former = PasswordCredential(email: Self.old, password: Stage.password)
            #expect(try await refusal { try await stage.app().signIn(with: former) } != nil)

            let dead = try await refusal {
                var step = try await forgetful.proceed(try #require(reset.flow), with: stale)
                step = try await forgetful.proceed(try #require(step.flow), with: .newPassword("Mallorys-Horse-2"))
            }
            #expect(dead != nil, "a link that was sent to the old address still sets a password")
            #expect(forgetful.state.session == nil)
            #expect(try await stage.app().signIn(with: early).session?.user.id == user)
        }
    }
}
