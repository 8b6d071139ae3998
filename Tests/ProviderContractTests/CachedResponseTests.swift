import Lockstep
import LockstepContracts
import LockstepEmulatorTestSupport
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

/// A cache before the backend returns the response of one user to another, over real HTTP.
@Suite("Responses of a cache that confuses users", .limitedConcurrency)
struct CachedResponseTests {
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]

    /// The requests, in the order in which they are tried.
    enum Question: String, CaseIterable, Sendable { case refresh, reload, update, changePassword, signIn }

    private final class Person: Sendable {
        let credential: PasswordCredential
        let client: AuthClient
        let store: MemorySessionStore
        let told = Told()

        init(_ email: String, on environment: TestEnvironment) async throws {
            let password: Secret = "Correct-Horse-1"
            _ = try await environment.administrator?.create(
                email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada")
            credential = PasswordCredential(email: email, password: password)
            store = MemorySessionStore(clock: environment.clock)
            client = AuthClient(
                adapter: environment.adapter, store: store,
                effects: ClientEffects(clock: environment.clock, randomness: environment.randomness, events: told.sink))
        }

        func ask(_ question: Question) async throws(AuthError) {
            switch question {
            case .refresh: _ = try await client.accessToken()
            case .reload: _ = try await client.refreshUser()
            case .update: _ = try await client.account.update(displayName: "Grace")
            case .changePassword: try await client.account.changePassword(to: "Another-Horse-2", current: credential.password)
            case .signIn: _ = try await client.signIn(with: credential)
            }
        }
    }

    private final class Told: Sendable {
        private let state = Mutex<[AuthEvent.Name]>([])
        var sink: AuthEventSink { AuthEventSink { event in self.state.withLock { $0.append(event.name) } } }
        var names: [AuthEvent.Name] { state.withLock { $0 } }
    }

    @Test("cached responses change nothing", arguments: [0, 1, 2], Question.allCases)
    func cachedResponsesChangeNothing(_ place: Int, _ question: Question) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let cache = try #require(environment.faults as? WireFaults).cable.cache
            let (ada, eve) = (
                try await Person("ada@example.com", on: environment), try await Person("eve@example.com", on: environment)
            )
            for person in [ada, eve] { _ = try #require(try await person.client.signIn(with: person.credential).session) }
            let life = try #require(ada.client.state.session).lifetime.life
            if question == .refresh {
                try await environment.backendClock?.advance(by: life + .seconds(1))
                environment.clock.advance(by: life + .seconds(1))
            }
            let (state, stored) = (ada.client.state, try await ada.store.load(ada.client.sessionKey))
            cache.turn(.keeping)
            try await eve.ask(question)
            cache.turn(.answering)
            let code: AuthError.Code?
            do throws(AuthError) {
                try await ada.ask(question)
                code = nil
            } catch {
                code = error.code
            }
            cache.turn(.open)
            #expect(code == .invalidResponse)
            #expect(ada.client.state == state)
            #expect(try await ada.store.load(ada.client.sessionKey) == stored)
            #expect(ada.told.names.contains(.userMismatch))
            #expect(try await ada.client.refreshUser().email == "ada@example.com")
        }
    }
}
