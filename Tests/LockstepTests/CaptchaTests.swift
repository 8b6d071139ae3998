import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// A call that waits for a captcha.
@Suite("Captchas")
struct CaptchaTests {
    private let clock = ManualClock(base: FixedClock())

    private func client(_ backend: InMemoryBackend, _ store: MemorySessionStore) -> AuthClient {
        AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    private func refusal(_ body: () async throws(AuthError) -> SignInStep) async -> AuthError.Code? {
        do throws(AuthError) {
            _ = try await body()
            return nil
        } catch { return error.code }
    }

    @Test func anEmptyTokenIsNotSentAndTheStepStays() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let step = try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let flow = try #require(step.flow)
        #expect(step.accepts == [.captcha] && client.pending == step)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha("")) }
                == .invalidInput)
        #expect(client.pending == step)
        #expect(try await client.respond(to: flow, with: .captcha(token)).session?.user.email == "ada@example.com")
        #expect(client.pending == nil)
    }

    @Test func aNewerFlowTakesThePlaceOfTheCallThatWaits() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        await backend.create(email: "bob@example.com", password: "Correct-Horse-1")
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let step = try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let flow = try #require(step.flow)
        _ = try await client.signIn(with: .password(email: "bob@example.com", password: "Correct-Horse-1"))
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) }
                == .flowNotFound)
        #expect(client.state.session?.user.email == "bob@example.com")
        #expect(await backend.users.count == 1)
    }

    @Test func anAdapterThatTakesNoneRefuses() async throws {
        var settings = InMemorySettings.confirmingByItself
        settings.capabilities.remove(.captcha)
        let backend = InMemoryBackend(settings, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        _ = await backend.demandCaptcha()
        // An adapter that takes none refuses as the backend does.
        let code = await refusal { () async throws(AuthError) in
            try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        }
        #expect(code == .captchaRequired)
        #expect(client.pending == nil)
    }
}
