import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("Unsendable tokens")
struct UnsendableTokenTests {
    private let clock = ManualClock(base: FixedClock())
    private let store: MemorySessionStore
    private let password: Secret = "Correct-Horse-1"

    init() { store = MemorySessionStore(clock: clock) }

    private func backend(_ settings: InMemorySettings = InMemorySettings()) -> InMemoryBackend {
        InMemoryBackend(settings, clock: clock)
    }

    private func client(_ adapter: any AuthAdapter) -> AuthClient {
        AuthClient(adapter: adapter, store: store, effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    private func signedIn(_ backend: InMemoryBackend, _ client: AuthClient) async throws -> Session {
        _ = await backend.create(email: "ada@example.com", password: password)
        return try #require(try await client.signIn(with: .password(email: "ada@example.com", password: password)).session)
    }

    private func code<Value>(_ call: () async throws(AuthError) -> Value) async -> AuthError.Code? {
        do throws(AuthError) { _ = try await call() } catch { return error.code }
        return nil
    }

    @Test(arguments: ["\r\nX-Injected: yes", "\n", "\r", "\0", "\t", "\u{7F}", "\u{E9}", "\u{2028}", " "])
    func unsendableTokensAreRejectedAtSignInAndRefresh(_ suffix: String) async throws {
        let backend = backend()
        let client = client(InMemoryAdapter(backend: backend, clock: clock))
        _ = await backend.create(email: "ada@example.com", password: password)
        await backend.inject(.tokenSuffix(suffix))
        #expect(
            await code { () async throws(AuthError) in
                try await client.signIn(with: .password(email: "ada@example.com", password: password))
            } == .invalidResponse)
        #expect(client.state.session == nil)
        #expect(try await store.load(client.sessionKey) == nil)
        await backend.clearFaults()
        let session = try #require(
            try await client.signIn(with: .password(email: "ada@example.com", password: password)).session)
        clock.advance(by: .seconds(3601))
        await backend.inject(.tokenSuffix(suffix))
        #expect(await code { () async throws(AuthError) in try await client.accessToken() } == .invalidResponse)
        #expect(client.state.session?.accessToken == session.accessToken)
    }

    @Test func unsendableTokensAreRejectedAtAReload() async throws {
        let backend = backend()
        let client = client(InMemoryAdapter(backend: backend, clock: clock))
        let session = try await signedIn(backend, client)
        await backend.inject(.tokenSuffix("\r\n"), on: .change)
        #expect(
            await code { () async throws(AuthError) in
                try await client.account.changePassword(to: "Correct-Horse-2", current: password)
            } == .invalidResponse)
        #expect(client.state.session?.accessToken == session.accessToken)
    }

    @Test func unsendableTokensAreRejectedInALimitedSession() async throws {
        let backend = backend(InMemorySettings(givesLimitedSession: true))
        let client = client(InMemoryAdapter(backend: backend, clock: clock))
        _ = try await client.signUp(with: .password(email: "eve@example.com", password: password))
        try await client.signOut()
        await backend.inject(.tokenSuffix("\n"))
        let code = await code { () async throws(AuthError) in
            try await client.signIn(with: .password(email: "eve@example.com", password: password))
        }
        #expect(code == .invalidResponse)
        #expect(client.state.session == nil)
    }

    /// The response comes after its caller has left.
    @Test func unsendableTokensAreRejectedInALateResponse() async throws {
        let backend = backend()
        let adapter = LateAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        let client = client(adapter)
        let session = try await signedIn(backend, client)
        clock.advance(by: .seconds(3601))
        let caller = Task { await code { () async throws(AuthError) in try await client.accessToken() } }
        await adapter.authority.gate.untilArrived()
        caller.cancel()
        #expect(await caller.value == .cancelled)
        adapter.authority.gate.open()
        while adapter.authority.answers.value == 0 { await Task.yield() }
        // The client has time to store it by mistake.
        for _ in 0..<1000 { await Task.yield() }
        #expect(adapter.authority.answers.value == 1)
        #expect(client.state.session?.accessToken == session.accessToken)
        let stored = try #require(try await store.load(client.sessionKey))
        #expect(!String(decoding: stored.bytes, as: UTF8.self).contains("X-Injected"))
    }

    @Test func storedUnsendableTokensAreDamage() async throws {
        let backend = backend()
        let first = client(InMemoryAdapter(backend: backend, clock: clock))
        let session = try await signedIn(backend, first)
        let value = try #require(try await store.load(first.sessionKey))
        let token = session.accessToken.reveal()
        let text = String(decoding: value.bytes, as: UTF8.self)
        #expect(text.contains(token))
        let changed = text.replacing(token, with: token + "\\r\\nX-Injected: yes")
        _ = try await store.replace(first.sessionKey, with: Array(changed.utf8), unlessChangedSince: value.revision)
        let second = client(InMemoryAdapter(backend: backend, clock: clock))
        #expect(await second.restore().session == nil)
        #expect(store.quarantinedValues(for: first.sessionKey).count == 1)
    }

    @Test func innerSpaceIsSent() async throws {
        let backend = backend()
        let client = client(InMemoryAdapter(backend: backend, clock: clock))
        await backend.inject(.tokenSuffix(" x"))
        #expect(try await signedIn(backend, client).refreshToken.reveal().hasSuffix(" x"))
    }
}

/// An adapter whose refresh waits for a test, continues without its caller, and returns a token with a line end.
private struct LateAdapter: AuthAdapter {
    let base: InMemoryAdapter
    let authority: LateAuthority

    init(base: InMemoryAdapter) {
        self.base = base
        authority = LateAuthority(base: base.sessions)
    }

    var name: String { base.name }
    var backend: String { base.backend }
    var signIn: SignInStrategies { return base.signIn }
    var verification: [any VerificationStrategy] { base.verification }
    var sessions: any SessionAuthority { authority }
    var callbacks: any CallbackReading { base.callbacks }
}

private struct LateAuthority: SessionAuthority {
    let base: any SessionAuthority
    let gate = Gate()
    let answers = MutexBox(0)

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        await gate.pass()
        var fresh = session
        fresh.accessToken = Secret(session.accessToken.reveal() + "\r\nX-Injected: yes")
        answers.change { $0 += 1 }
        return fresh
    }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {}
}
