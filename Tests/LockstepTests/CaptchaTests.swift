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

    /// A sign-up, and its flow.
    private func signUp(_ client: AuthClient) async throws -> (step: AuthStep, flow: Flow) {
        let step = try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        return (step, try #require(step.flow))
    }

    private func refusal(_ body: () async throws(AuthError) -> AuthStep) async -> AuthError.Code? {
        do throws(AuthError) {
            _ = try await body()
            return nil
        } catch { return error.code }
    }

    @Test func emptyCaptchaTokenIsNotSent() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let (step, flow) = try await signUp(client)
        #expect(step.accepts == [.captcha] && client.pending == step)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha("")) }
                == .invalidInput)
        #expect(client.pending == step)
        #expect(try await client.respond(to: flow, with: .captcha(token)).session?.user.email == "ada@example.com")
        #expect(client.pending == nil)
    }

    @Test func newerFlowReplacesTheWaitingCall() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        await backend.create(email: "bob@example.com", password: "Correct-Horse-1")
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let (_, flow) = try await signUp(client)
        _ = try await client.signIn(with: .password(email: "bob@example.com", password: "Correct-Horse-1"))
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) }
                == .flowNotFound)
        #expect(client.state.session?.user.email == "bob@example.com")
        #expect(await backend.users.count == 1)
    }

    /// A button that was pressed twice: the first call fails after the second one has reached its step.
    @Test func lateErrorDoesNotReplaceANewerFlow() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        await backend.inject(.hang, on: .signUp, times: 1)
        let first = Task { try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1")) }
        await backend.untilHanging(1)
        let step = try await client.signUp(with: .password(email: "bob@example.com", password: "Correct-Horse-1"))
        await backend.release()
        await #expect(throws: AuthError.self) { try await first.value }
        #expect(client.pending == step)
        let end = try await client.respond(to: try #require(step.flow), with: .captcha(token))
        #expect(end.session?.user.email == "bob@example.com")
        #expect(await backend.users.count == 1)
    }

    @Test func oneOfTwoResponsesRepeatsTheCall() async throws {
        let backend = InMemoryBackend(.confirmingByCode, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let (_, flow) = try await signUp(client)
        await backend.inject(.hang, on: .signUp, times: 1)
        let first = Task { try await client.respond(to: flow, with: .captcha(token)) }
        await backend.untilHanging(1)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) }
                == .responseNotAccepted)
        await backend.release()
        #expect(try await first.value.accepts.contains(.code))
        #expect(client.pending?.accepts.contains(.code) == true)
        #expect(backend.traffic.requests.count { $0 == .signUp } == 2)
    }

    @Test func accountOfALostResponseBelongsToTheCaller() async throws {
        var settings = InMemorySettings.confirmingByItself
        settings.behavior.knownAddressAtSignUp = .refused
        let backend = InMemoryBackend(settings, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let step = try await client.signUp(
            with: .password(email: "ada@example.com", password: "Correct-Horse-1"), displayName: "Ada")
        let flow = try #require(step.flow)
        await backend.inject(.answerLost(AuthError(.network, "The connection was lost.", retry: .now)), on: .signUp, times: 1)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) } == .network)
        #expect(client.pending == step)
        let end = try await client.respond(to: flow, with: .captcha(token))
        #expect(end.session?.user.email == "ada@example.com" && end.session?.user.displayName == "Ada")
        #expect(client.pending == nil)
        #expect(await backend.users.count == 1)
    }

    @Test func waitingCallExpiresAfter15Minutes() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        let token = await backend.demandCaptcha()
        let (step, flow) = try await signUp(client)
        clock.advance(by: .seconds(14 * 60))
        await client.restore()
        #expect(client.pending == step)
        clock.advance(by: .seconds(60))
        // The next call of any kind discards the password.
        await #expect(throws: AuthError.self) { try await client.refreshUser() }
        #expect(client.pending == nil)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) }
                == .flowNotFound)
        #expect(await backend.users.isEmpty)
    }

    /// The code of the first message is still valid, also for a process that does not know of the captcha.
    @Test func resentMessageReturnsToItsStep() async throws {
        let backend = InMemoryBackend(.confirmingByCode, clock: clock)
        let store = MemorySessionStore(clock: clock)
        let client = client(backend, store)
        let (step, flow) = try await signUp(client)
        for _ in 0..<3 {
            let code = await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .code("none")) }
            #expect(code == .invalidCode)
        }
        clock.advance(by: .seconds(90))
        let token = await backend.demandCaptcha(at: [.resend])
        #expect(try await client.resend(flow).accepts == [.captcha])

        let relaunched = self.client(backend, store)
        await relaunched.restore()
        #expect(relaunched.pending == step)
        // The backend returns an error for another reason than the captcha, and the step is the previous one.
        await backend.inject(.refusal(AuthError(.notEnabled, "No messages now.", retry: .never)), on: .resend, times: 1)
        #expect(
            await refusal { () async throws(AuthError) in try await client.respond(to: flow, with: .captcha(token)) }
                == .notEnabled)
        #expect(client.pending == step)
        #expect(try await client.resend(flow).accepts == [.captcha])
        let sent = try await client.respond(to: flow, with: .captcha(token))
        #expect(sent.challenge?.resendAvailableAt ?? clock.now > clock.now)
        let code = Secret(try #require(await backend.messages.last?.code))
        #expect(try await client.respond(to: flow, with: .code(code)).session?.user.email == "ada@example.com")
    }

    @Test func adapterWithoutCaptchasReturnsTheError() async throws {
        var settings = InMemorySettings.confirmingByItself
        settings.capabilities.remove(.captcha)
        let backend = InMemoryBackend(settings, clock: clock)
        let client = client(backend, MemorySessionStore(clock: clock))
        _ = await backend.demandCaptcha()
        // An adapter without captchas returns the backend's error.
        let code = await refusal { () async throws(AuthError) in
            try await client.signUp(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        }
        #expect(code == .captchaRequired)
        #expect(client.pending == nil)
    }
}
