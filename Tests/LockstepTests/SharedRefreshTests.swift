import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("A shared session")
struct SharedRefreshTests {
    private let clock = ManualClock(base: FixedClock())
    private let backend: InMemoryBackend
    private let disk: MemorySessionStore
    private let store: HookedStore
    private let recorder = EventRecorder()
    private let password: Secret = "Correct-Horse-1"

    init() {
        backend = InMemoryBackend(clock: clock)
        disk = MemorySessionStore(clock: clock)
        store = HookedStore(disk)
    }

    private func client(adapter: (any AuthAdapter)? = nil) -> AuthClient {
        AuthClient(
            adapter: adapter ?? InMemoryAdapter(backend: backend, clock: clock), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness(), events: recorder.sink))
    }

    private func signedIn(_ client: AuthClient) async throws -> Session {
        _ = await backend.create(email: "ada@example.com", password: password)
        return try #require(try await client.signIn(with: .password(email: "ada@example.com", password: password)).session)
    }

    /// Advances the clock, and lets the tasks run that wait for it.
    private func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            for _ in 0..<200 { await Task.yield() }
        }
    }

    @Test func refreshWaitsForAnotherProcess() async throws {
        let (first, second) = (client(), client())
        _ = try await signedIn(first)
        await second.restore()
        clock.advance(by: .seconds(3601))
        await backend.inject(.hang, on: .refresh, times: 1)
        let refreshing = Task { try await first.accessToken() }
        await backend.untilHanging(1)
        let isOver = MutexBox(false)
        let waiting = Task {
            defer { isOver.change { $0 = true } }
            return try await second.accessToken()
        }
        await pass(20)
        #expect(!isOver.value)
        await backend.release()
        let token = try await refreshing.value
        await pass(1)
        #expect(try await waiting.value == token)
        #expect(backend.traffic.requests.count { $0 == .refresh } == 1)
    }

    /// The refresh has used up the refresh token that is stored with the organization's access token.
    @Test func organizationSwitchKeepsTheNewRefreshToken() async throws {
        let origin: WebOrigin = "https://api.example.com"
        let client = AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness(), events: recorder.sink),
            options: AuthClient.Options(apiOrigins: [origin]))
        let session = try await signedIn(client)
        let id = await backend.createOrganization(named: "Analytical Engines", members: [session.user.id])
        await backend.inject(.hang, on: .refresh, times: 1)
        // The app's server rejects the token, although it is valid.
        let refreshing = Task {
            try await client.authorized(AppRequest(url: origin.description + "/orders")) { _ in
                AppResponse(status: 401, content: 0)
            }
        }
        await backend.untilHanging(1)
        try await client.account.organizations.activate(Organization(id: id, name: "Analytical Engines"))
        let switched = try #require(client.state.session)
        await backend.release()
        _ = try await refreshing.value
        let after = try #require(client.state.session)
        #expect(after.organizationID == id && after.accessToken == switched.accessToken)
        #expect(after.refreshToken != switched.refreshToken)
        clock.advance(by: .seconds(3601))
        _ = try await client.accessToken()
        #expect(client.state.session?.organizationID == id)
    }

    /// A second call would void the codes that the first one shows.
    @Test func concurrentBackupCodeRequestsShareOneCall() async throws {
        let client = client()
        let session = try await signedIn(client)
        _ = await backend.addFactor(to: session.user.id)
        await backend.inject(.hang, on: .change, times: 1)
        let first = Task { try await client.account.factors.renewBackupCodes() }
        await backend.untilHanging(1)
        _ = recorder.take()
        let second = Task { try await client.account.factors.renewBackupCodes() }
        while recorder.all.isEmpty { await Task.yield() }
        await pass(1)
        await backend.release()
        let codes = try await first.value
        #expect(try await second.value == codes)
        #expect(backend.traffic.requests.count { $0 == .change } == 1)
        #expect(try await client.account.factors.renewBackupCodes() != codes)
    }

    @Test func deadlineIncludesTheWaitForAnotherProcess() async throws {
        let (first, second) = (client(), client())
        _ = try await signedIn(first)
        await second.restore()
        clock.advance(by: .seconds(3601))
        let (end, isOver) = AsyncStream<Void>.makeStream()
        let (inside, isInside) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await disk.exclusively(first.sessionKey, lockTimeout: .seconds(600)) {
                isInside.finish()
                for await _ in end {}
            }
        }
        for await _ in inside {}
        let waiting = Task { () -> AuthError? in
            do throws(AuthError) { _ = try await second.accessToken() } catch { return error }
            return nil
        }
        while !recorder.all.contains(where: { $0.name == .callEnded && $0[.call] == "accessToken" }) {
            clock.advance(by: .seconds(5))
            for _ in 0..<200 { await Task.yield() }
        }
        let error = try #require(await waiting.value)
        #expect(error.code == .timedOut)
        #expect(error.retry == .now)
        #expect(second.state.session != nil)
        isOver.finish()
        try await holder.value
    }

    @Test func unchangedUserIsNotWritten() async throws {
        let client = client()
        let session = try await signedIn(client)
        _ = try await client.refreshUser()
        let before = store.writes.count
        for _ in 0..<3 { _ = try await client.refreshUser() }
        #expect(store.writes.count == before)
        await backend.rename(session.user.id, to: "Ada")
        #expect(try await client.refreshUser().displayName == "Ada")
        #expect(store.writes.count == before + 1)
    }

    @Test func unwrittenSignInIsReported() async throws {
        let client = client()
        store.refuses([.session])
        let session = try await signedIn(client)
        #expect(client.state == .signedIn(session))
        #expect(client.persistence == .memoryOnly(StoreFailure(StoreError(.full, "There is no space left."))))
        store.before(nil)
        while client.persistence != .stored {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        let relaunched = self.client()
        #expect(await relaunched.restore() == .signedIn(session))
        #expect(relaunched.persistence == .stored)
    }

    @Test func subscribersGetTheShownState() async throws {
        let client = client()
        let session = try await signedIn(client)
        let states = client.states
        for _ in 0..<5 {
            clock.advance(by: .seconds(3601))
            _ = try await client.accessToken()
        }
        await backend.rename(session.user.id, to: "Ada")
        _ = try await client.refreshUser()
        try await client.signOut()
        var seen: [AuthState] = []
        for await state in states {
            seen.append(state)
            if state.session == nil { break }
        }
        #expect(seen.count == 3)
        #expect(seen.first == .signedIn(session))
        #expect(seen.dropFirst().first?.session?.user.displayName == "Ada")
        #expect(seen.last == .signedOut(.requested))
    }

    @Test func slowSubscriberGetsTheNewestState() async throws {
        let client = AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
        let session = try await signedIn(client)
        let states = client.states
        for number in 0..<1_000 {
            await backend.rename(session.user.id, to: "Ada \(number)")
            _ = try await client.refreshUser()
        }
        var seen: [AuthState] = []
        for await state in states {
            seen.append(state)
            if state.session?.user.displayName == "Ada 999" { break }
        }
        #expect(seen.count == 16)
    }

    @Test(.timeLimit(.minutes(10))) func workRunsAtTheHighestPriorityOfItsCallers() async throws {
        let adapter = UrgentAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        let client = client(adapter: adapter)
        _ = try await signedIn(client)
        clock.advance(by: .seconds(3601))
        let background = Task(priority: .background) { try await client.accessToken() }
        await adapter.authority.gate.untilArrived()
        #expect(adapter.authority.priorities.value == [.background])
        let screen = Task(priority: .userInitiated) { try await client.accessToken() }
        while adapter.authority.raised.value.isEmpty { await Task.yield() }
        adapter.authority.gate.open()
        let token = try await screen.value
        #expect(try await background.value == token)
        #expect(adapter.authority.raised.value == [.userInitiated])
        #expect(adapter.authority.priorities.value == [.background, .userInitiated])
    }
}

/// An adapter that reports the priority of its refreshes, and lets a test hold them.
private struct UrgentAdapter: AuthAdapter {
    let base: InMemoryAdapter
    let authority: UrgentAuthority

    init(base: InMemoryAdapter) {
        self.base = base
        authority = UrgentAuthority(base: base.sessions)
    }

    var name: String { base.name }
    var backend: String { base.backend }
    var signIn: SignInStrategies { return base.signIn }
    var verification: [any VerificationStrategy] { base.verification }
    var sessions: any SessionAuthority { authority }
    var callbacks: any CallbackReading { base.callbacks }
}

private struct UrgentAuthority: SessionAuthority {
    let base: any SessionAuthority
    let gate = Gate()
    let priorities = MutexBox<[TaskPriority]>([])
    let raised = MutexBox<[TaskPriority]>([])

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        priorities.change { $0.append(Task.currentPriority) }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            await withTaskPriorityEscalationHandler {
                await gate.pass()
            } onPriorityEscalated: { _, priority in
                raised.change { $0.append(priority) }
            }
        }
        priorities.change { $0.append(Task.currentPriority) }
        return try await base.refresh(session)
    }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {}
}
