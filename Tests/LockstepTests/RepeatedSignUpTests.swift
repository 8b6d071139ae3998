import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("A sign-up that is repeated after a lost response")
struct RepeatedSignUpTests {
    private let backend: InMemoryBackend
    private let client: AuthClient
    private let password: Secret = "Correct-Horse-1"

    init() {
        let behavior = ProviderBehavior(signUpProof: .automatic, knownAddressAtSignUp: .refused)
        backend = InMemoryBackend(InMemorySettings(behavior: behavior), clock: FixedClock())
        client = AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: FixedClock()), store: MemorySessionStore(),
            effects: ClientEffects(clock: FixedClock(), randomness: SystemRandomness(), events: .none))
    }

    /// Creates an account whose response is lost.
    private func loseAnswer(_ email: String, _ password: Secret? = nil) async {
        await backend.inject(.answerLost(AuthError(.network, "The connection was closed.", retry: .now)), on: .signUp, times: 1)
        await #expect(throws: AuthError.self) {
            try await client.signUp(with: .password(email: email, password: password ?? self.password))
        }
    }

    private func code(of body: () async throws(AuthError) -> AuthStep) async -> AuthError.Code? {
        do throws(AuthError) {
            _ = try await body()
            return nil
        } catch { return error.code }
    }

    @Test func nameIsGivenToNoOtherUser() async throws {
        _ = await backend.create(email: "alan@example.com", password: password, isEmailVerified: true, displayName: nil)
        let alan = try await client.signIn(with: .password(email: "alan@example.com", password: password)).session
        await loseAnswer("ada@example.com")
        let ada = try #require(await backend.users.first { $0.email == "ada@example.com" })
        _ = await backend.addFactor(to: ada.id)
        let step = try await client.signUp(with: .password(email: "ada@example.com", password: password), displayName: "Ada")
        guard case .secondFactor = step else {
            Issue.record("the sign-up leads to \(step)")
            return
        }
        #expect(await backend.users.first { $0.id == alan?.user.id }?.displayName == nil)
    }

    @Test func spacesAndCaseMatchTheSameAddress() async throws {
        await loseAnswer(" Ada@example.com")
        let step = try await client.signUp(with: .password(email: "ada@example.com ", password: password))
        #expect(step.session?.user.email == "ada@example.com")
    }

    @Test func otherSignUpMethodKeepsTheRememberedOne() async throws {
        await loseAnswer("ada@example.com")
        _ = await code { () async throws(AuthError) in try await client.signUp(with: .emailCode("grace@example.com")) }
        let step = try await client.signUp(with: .password(email: "ada@example.com", password: password))
        #expect(step.session?.user.email == "ada@example.com")
    }

    @Test func rejectedSignInIsReportedAsTheSignUpError() async throws {
        await loseAnswer("ada@example.com")
        let ada = try #require(await backend.users.first)
        await backend.disable(ada.id)
        let refused = await code { () async throws(AuthError) in
            try await client.signUp(with: .password(email: "ada@example.com", password: password))
        }
        #expect(refused == .emailAlreadyInUse)
    }

    @Test func signOutForgetsTheSignUp() async throws {
        await loseAnswer("ada@example.com")
        try await client.signOut()
        let refused = await code { () async throws(AuthError) in
            try await client.signUp(with: .password(email: "ada@example.com", password: password))
        }
        #expect(refused == .emailAlreadyInUse)
    }
}
