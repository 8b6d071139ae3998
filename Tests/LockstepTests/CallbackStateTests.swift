import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// The `state` of a redirect, which the client compares for every adapter that stores one.
@Suite("The state of a callback")
struct CallbackStateTests {
    private let clock = ManualClock(base: FixedClock())

    @Test(arguments: ["", "&state=", "&state=another", "&state=<%3E"])
    func missingOrWrongStateIsNotExchanged(_ foreign: String) async throws {
        let backend = InMemoryBackend(.confirmingByLink, clock: clock)
        let client = AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
        _ = try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let link = try #require(await backend.messages.last?.link)
        let state = try #require(link.split(separator: "&").first { $0.hasPrefix("state=") })
        let altered = link.replacing("&" + state, with: foreign)
        #expect(altered != link)
        guard case .refused(let error) = await client.handle(altered) else {
            Issue.record("The link was taken.")
            return
        }
        #expect(error.code == .flowStartedElsewhere)
        #expect(client.state.session == nil && client.pending != nil)
        // The client did not send its code to the backend, so the code is still valid.
        guard case .step(.complete(let session)) = await client.handle(link) else {
            Issue.record("The link was used up.")
            return
        }
        #expect(session.user.isEmailVerified)
    }
}
