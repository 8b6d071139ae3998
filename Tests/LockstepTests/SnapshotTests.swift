import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// The client's report to the models of its screens: state and step together, the time to a resend, the age of a sign-in.
@Suite("Snapshots for screens")
struct SnapshotTests {
    private let clock = ManualClock(base: FixedClock())
    private let password: Secret = "Correct-Horse-1"
    private let email = "ada@example.com"

    private func client(_ backend: InMemoryBackend, on store: MemorySessionStore) -> AuthClient {
        AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    @Test("a step is reported with its address, also after a relaunch, and the state stays the same")
    func reportsSteps() async throws {
        let backend = InMemoryBackend(.confirmingByCode, clock: clock)
        _ = await backend.addFactor(to: await backend.create(email: email, password: password))
        let store = MemorySessionStore(clock: clock)
        let auth = client(backend, on: store)
        await auth.restore()
        var snapshots = auth.snapshots.makeAsyncIterator()
        #expect(await snapshots.next() == ClientSnapshot(state: .signedOut(.neverSignedIn)))
        let step = try await auth.signIn(with: .password(email: email, password: password))
        let told = try #require(await snapshots.next())
        #expect(told == ClientSnapshot(state: .signedOut(.neverSignedIn), pending: step, identifier: email))
        let relaunched = client(backend, on: store)
        await relaunched.restore()
        #expect(relaunched.snapshot == told)
        try await relaunched.cancel(try #require(step.flow))
        #expect(relaunched.snapshot == ClientSnapshot(state: .signedOut(.neverSignedIn)))
    }

    @Test("a refresh makes no new snapshot")
    func leavesOutTokens() async throws {
        let backend = InMemoryBackend(.confirmingByItself, clock: clock)
        let auth = client(backend, on: MemorySessionStore(clock: clock))
        _ = try await auth.signUp(with: .password(email: email, password: password))
        var snapshots = auth.snapshots.makeAsyncIterator()
        _ = await snapshots.next()
        clock.advance(by: .seconds(4000))
        _ = try await auth.accessToken()
        try await auth.signOut()
        #expect(await snapshots.next()?.state == .signedOut(.requested))
    }

    @Test("an unverified user stays unverified during another flow")
    func staysUnverified() async throws {
        let backend = InMemoryBackend(.limitedUntilProven, clock: clock)
        let auth = client(backend, on: MemorySessionStore(clock: clock))
        _ = try await auth.signUp(with: .password(email: email, password: password))
        let reset = try await auth.requestPasswordReset(email: email)
        guard case .unverified(let account) = auth.state else {
            Issue.record("the state is another one")
            return
        }
        #expect(account.challenge == reset.challenge)
        await #expect(throws: AuthError.self) { try await auth.session(requiring: .verified) }
        try await auth.cancel(try #require(reset.flow))
        #expect(auth.pending?.flow?.kind == .confirmation)
    }

    @Test("the time to a resend does not depend on the wall clock", arguments: [3600, -3600])
    func measuresTheResend(_ shift: Int) async throws {
        let backendClock = ManualClock(base: FixedClock())
        let backend = InMemoryBackend(.confirmingByCode, clock: backendClock)
        let store = MemorySessionStore(clock: clock)
        let auth = client(backend, on: store)
        let flow = try #require(try await auth.signUp(with: .password(email: email, password: password)).flow)
        #expect(auth.timeToResend(flow) == .seconds(60))
        clock.shiftWall(by: .seconds(shift))
        #expect(auth.timeToResend(flow) == .seconds(60))
        await #expect(throws: AuthError.self) { try await auth.resend(flow) }
        let relaunched = client(backend, on: store)
        await relaunched.restore()
        clock.advance(by: .seconds(59))
        #expect(relaunched.timeToResend(flow) == .seconds(1))
        clock.advance(by: .seconds(2))
        backendClock.advance(by: .seconds(61))
        #expect(relaunched.timeToResend(flow) == .zero)
        try await relaunched.resend(flow)
        try await relaunched.cancel(flow)
        #expect(relaunched.timeToResend(flow) == nil)
    }

    @Test(
        "the time of the sign-in is read from each provider's claims",
        arguments: [
            ("firebase", ["auth_time": 1_799_999_000, "iat": 1_799_999_900]),
            (
                "gotrue",
                ["amr": [["method": "otp", "timestamp": 1_799_998_000], ["method": "password", "timestamp": 1_799_999_000]]]
            ),
            ("clerk", ["fva": [15, -1], "iat": 1_799_999_900]),
        ] as [(String, JSONObject)])
    func readsTheSignIn(_ provider: String, _ claims: JSONObject) {
        var session = session(claims)
        #expect(session.signedInAt == Instant(seconds: 1_799_999_000))
        #expect(session.timeSinceSignIn(on: clock) == .seconds(1000))
        // A device clock that is set back by an hour makes no sign-in younger.
        clock.shiftWall(by: .seconds(-3600))
        clock.advance(by: .seconds(30))
        #expect(session.timeSinceSignIn(on: clock) == .seconds(1030))
        session.claims = ["sub": "u", "fva": [-1, -1], "iat": 1_799_999_900]
        #expect(session.signedInAt == nil && session.timeSinceSignIn(on: clock) == nil)
    }

    private func session(_ claims: JSONObject) -> Session {
        Session(
            provider: "memory", user: User(id: "u"), accessToken: "a", refreshToken: "r",
            lifetime: TokenLifetime(life: .seconds(3600), serverDate: Instant(seconds: 1_800_000_000), clock: clock),
            claims: claims)
    }

    @Test("the error of a call after another sign-in reports the completed sign-in")
    func reportsCompletedParts() async throws {
        var settings = InMemorySettings.confirmingByCode
        settings.sensitiveAge = .seconds(60)
        let backend = InMemoryBackend(settings, clock: clock)
        await backend.create(email: email, password: password)
        let auth = client(backend, on: MemorySessionStore(clock: clock))
        _ = try await auth.signIn(with: .password(email: email, password: password))
        #expect(auth.account.reauthenticationMethods == [.password, .emailCodeSignIn])
        clock.advance(by: .seconds(120))
        do throws(AuthError) {
            try await auth.account.reauthenticate(
                with: .password(email: email, password: password), thenRetry: .changePassword(to: "abc", current: nil))
            Issue.record("a weak password was set")
        } catch {
            #expect(error.code == .weakPassword && error.completed == [SensitiveCall.signIn])
        }
        do throws(AuthError) {
            try await auth.account.reauthenticate(
                with: .password(email: email, password: "wrong"), thenRetry: .deleteAccount)
            Issue.record("a wrong password was taken")
        } catch {
            #expect(error.code == .invalidCredentials && error.completed.isEmpty)
        }
    }
}
