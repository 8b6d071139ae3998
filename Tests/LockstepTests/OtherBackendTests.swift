import Lockstep
import LockstepContracts
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// What a sign-out does with the sessions that earlier versions of an app have stored for other backends.
@Suite("Other backends")
struct OtherBackendTests {
    private let clock = ManualClock(base: FixedClock())
    private let (former, present): (InMemoryBackend, InMemoryBackend)
    private let disk: MemorySessionStore
    private let store: HookedStore
    private let password: Secret = "Correct-Horse-1"

    init() {
        (former, present) = (InMemoryBackend(clock: clock), InMemoryBackend(clock: clock))
        disk = MemorySessionStore(clock: clock)
        store = HookedStore(disk)
    }

    private func client(_ backend: InMemoryBackend, keepsOthers: Bool = false) -> AuthClient {
        AuthClient(
            adapter: InMemoryAdapter(backend: backend, clock: clock), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()),
            options: AuthClient.Options(keepingOtherBackends: keepsOthers))
    }

    /// Signs in on a backend, and ends the app.
    private func leaveSession(on backend: InMemoryBackend) async throws {
        try await signIn(client(backend), on: backend)
    }

    private func signIn(_ client: AuthClient, on backend: InMemoryBackend) async throws {
        _ = await backend.create(email: "ada@example.com", password: password)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        await client.settle()
    }

    private var formerKey: StoreKey {
        StoreKey(provider: "memory", backend: InMemoryAdapter(backend: former).backend, slot: .session)
    }

    @Test func optionKeepsTheOtherSession() async throws {
        try await leaveSession(on: former)
        let client = client(present, keepsOthers: true)
        try await signIn(client, on: present)
        try await client.signOut()
        #expect(await self.client(present).restore() == .signedOut(.requested))
        #expect(await self.client(former).restore().session != nil)
    }

    @Test func deletionOfTheAccountRemovesIt() async throws {
        try await leaveSession(on: former)
        let client = client(present)
        try await signIn(client, on: present)
        try await client.account.delete()
        #expect(try await disk.load(formerKey) == nil)
    }

    /// Bytes that no version can read are no session, but another version might read them.
    @Test(arguments: ["damaged", #"{"version":99,"value":{}}"#]) func unreadableValueIsRemoved(_ bytes: String) async throws {
        _ = try await disk.replace(formerKey, with: Array(bytes.utf8), unlessChangedSince: nil)
        let client = client(present)
        try await signIn(client, on: present)
        try await client.signOut()
        #expect(try await disk.load(formerKey) == nil)
    }

    @Test func failedRemovalIsReportedAndRepeated() async throws {
        try await leaveSession(on: former)
        let client = client(present)
        try await signIn(client, on: present)
        let key = formerKey
        store.before { call, found throws(StoreError) in
            if call == .remove, found == key { throw StoreError(.unwritable, "It is read-only.") }
        }
        await #expect(throws: AuthError.self) { try await client.signOut() }
        #expect(client.state == .signedOut(.requested))
        guard case .memoryOnly = client.persistence else {
            Issue.record("\(client.persistence)")
            return
        }
        store.before(nil)
        for _ in 0..<200 where try await disk.load(key) != nil {
            clock.advance(by: .seconds(1))
            for _ in 0..<200 { await Task.yield() }
        }
        #expect(try await disk.load(key) == nil)
    }
}
