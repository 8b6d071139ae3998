import Lockstep
import LockstepContracts
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("Stored flows")
struct FlowStorageTests {
    private let clock = ManualClock(base: FixedClock())
    private let backend: InMemoryBackend
    private let disk: MemorySessionStore
    private let store: HookedStore
    private let recorder = EventRecorder()
    private let password: Secret = "Correct-Horse-1"

    init() {
        backend = InMemoryBackend(.confirmingByCode, clock: clock)
        disk = MemorySessionStore(clock: clock)
        store = HookedStore(disk)
    }

    private func client(on store: (any SessionStore)? = nil, adapter: (any AuthAdapter)? = nil) -> AuthClient {
        AuthClient(
            adapter: adapter ?? InMemoryAdapter(backend: backend, clock: clock), store: store ?? self.store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness(), events: recorder.sink))
    }

    private func key(_ slot: StoreKey.Slot) -> StoreKey {
        let adapter = InMemoryAdapter(backend: backend, clock: clock)
        return StoreKey(provider: adapter.name, backend: adapter.backend, slot: slot)
    }

    /// A client whose sign-up waits for a code.
    private func begun(_ client: AuthClient, _ email: String = "ada@example.com") async throws -> Flow {
        try #require(try await client.signUp(with: .password(email: email, password: password)).flow)
    }

    private func relaunched() async -> AuthClient {
        let client = client(on: disk)
        await client.restore()
        return client
    }

    @Test func earlierWriteDoesNotRestoreACancelledFlow() async throws {
        let client = client()
        let flow = try await begun(client)
        let gate = Gate()
        store.before { call, key throws(StoreError) in
            if call == .load, key.slot == .flow { await gate.pass() }
        }
        let late = Task { try? await client.respond(to: flow, with: .code("000000")) }
        await gate.untilArrived()
        let cancelling = Task { try await client.cancel(flow) }
        while client.pending != nil { await Task.yield() }
        gate.open()
        _ = await late.value
        try await cancelling.value
        #expect(await relaunched().pending == nil)
        #expect(try await disk.load(key(.flow)) == nil)
    }

    @Test func failedResponseDoesNotRestoreACancelledFlow() async throws {
        let client = client()
        let flow = try await begun(client)
        await backend.inject(.hang, times: 1)
        let late = Task { try? await client.respond(to: flow, with: .code("000000")) }
        await backend.untilHanging(1)
        try await client.cancel(flow)
        await backend.release()
        _ = await late.value
        #expect(client.pending == nil)
        #expect(try await disk.load(key(.flow)) == nil)
    }

    @Test func flowCancelledByAnotherProcessIsNotRestored() async throws {
        let first = client()
        let flow = try await begun(first)
        let second = client()
        await second.restore()
        #expect(second.pending?.flow?.id == flow.id)
        try await first.cancel(flow)
        _ = try? await second.respond(to: flow, with: .code("000000"))
        #expect(await relaunched().pending == nil)
    }

    @Test func flowOfAnotherProcessIsKept() async throws {
        let first = client()
        let flow = try await begun(first)
        let second = client()
        let newer = try await begun(second, "bob@example.com")
        _ = try? await first.respond(to: flow, with: .code("000000"))
        #expect(await relaunched().pending?.flow?.id == newer.id)
        try await first.cancel(flow)
        #expect(await relaunched().pending?.flow?.id == newer.id)
    }

    @Test func partlyFailedCallKeepsTheFlowOfAnotherProcess() async throws {
        let (first, second) = (
            client(), client(adapter: InterruptedAdapter(base: InMemoryAdapter(backend: backend, clock: clock)))
        )
        await second.restore()
        let flow = try await begun(first)
        _ = try? await second.signIn(with: .password(email: "bob@example.com", password: password))
        #expect(await relaunched().pending?.flow?.id == flow.id)
    }

    /// A running client did not start the flow, but the store has it.
    @Test func flowOfAnotherProcessIsContinued() async throws {
        let (first, second) = (client(), client())
        await second.restore()
        let flow = try await begun(first)
        let code = Secret(try #require(await backend.messages.last?.code))
        #expect(try await second.respond(to: flow, with: .code(code)).session?.user.email == "ada@example.com")
        #expect(await relaunched().pending == nil)
    }

    /// The store still has the flow, because it accepts no write.
    @Test func cancelledFlowIsNotTakenFromTheStore() async throws {
        let first = client()
        let flow = try await begun(first)
        store.before { call, key throws(StoreError) in
            if call == .replace || call == .remove, key.slot == .flow { throw StoreError(.unwritable, "The disk is full.") }
        }
        try await first.cancel(flow)
        let error = await #expect(throws: AuthError.self) { try await first.respond(to: flow, with: .code("123456")) }
        #expect(error?.code == .flowNotFound)
    }

    @Test(arguments: [true, false])
    func olderCopyDoesNotUndoTheStepOfAnotherProcess(_ isOfTheFlow: Bool) async throws {
        let first = client()
        let flow = try await begun(first)
        let adapter = InterruptedAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        let second = client(adapter: isOfTheFlow ? nil : adapter)
        await second.restore()
        clock.advance(by: .seconds(3600))
        let challenge = try await first.resend(flow)
        if isOfTheFlow {
            _ = try? await second.respond(to: flow, with: .code("000000"))
        } else {
            _ = try? await second.signIn(with: .password(email: "bob@example.com", password: password))
        }
        #expect(await relaunched().pending?.challenge == challenge)
    }

    /// The other process writes between the load and the write of this one.
    @Test func concurrentWritesOfTwoProcessesLoseNothing() async throws {
        let first = client()
        let flow = try await begun(first)
        let interrupted = client(on: disk, adapter: InterruptedAdapter(base: InMemoryAdapter(backend: backend, clock: clock)))
        await interrupted.restore()
        clock.advance(by: .seconds(3600))
        let gate = Gate()
        store.before { call, key throws(StoreError) in
            if call == .replace, key.slot == .flow { await gate.pass() }
        }
        let resending = Task { try await first.resend(flow) }
        await gate.untilArrived()
        _ = try? await interrupted.signIn(with: .password(email: "bob@example.com", password: password))
        gate.open()
        let challenge = try await resending.value
        #expect(await relaunched().pending?.challenge == challenge)
        // The partly failed call continues after its completed part.
        let again = InterruptedAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        _ = try? await client(on: disk, adapter: again).signIn(with: .password(email: "bob@example.com", password: password))
        #expect(again.seen.value == [["made"]])
    }

    @Test func retriedRemovalKeepsANewerFlowOfAnotherProcess() async throws {
        _ = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        _ = try await client.requestPasswordReset(email: "ada@example.com")
        store.refuses([.flow])
        try await client.signOut()
        clock.advance(by: .seconds(1))
        let newer = try await begun(self.client(on: disk), "bob@example.com")
        store.before(nil)
        while client.persistence != .stored {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(await relaunched().pending?.flow?.id == newer.id)
    }

    @Test func concurrentFlowsCompleteSeparately() async throws {
        let (first, second) = (client(on: MemorySessionStore(clock: clock)), client(on: MemorySessionStore(clock: clock)))
        let (ada, bob) = (try await begun(first), try await begun(second, "bob@example.com"))
        // Neither replaces the other, and neither responds to the other's flow.
        do {
            _ = try await first.respond(to: bob, with: .code("000000"))
            Issue.record("a flow of another client went on")
        } catch { #expect(error.code == .flowAbandoned) }
        let third = client(on: MemorySessionStore(clock: clock))
        try await third.cancel(try await begun(third, "eve@example.com"))
        let sent = await backend.messages
        func code(_ address: String) throws -> ChallengeResponse {
            .code(Secret(try #require(sent.last { $0.recipient == address }?.code)))
        }
        let sessions = (
            try await first.respond(to: ada, with: try code("ada@example.com")),
            try await second.respond(to: bob, with: try code("bob@example.com"))
        )
        #expect(sessions.0.session?.user.email == "ada@example.com" && sessions.1.session?.user.email == "bob@example.com")
    }

    @Test(arguments: [true, false])
    func failedFlowRemovalIsReportedAndRetried(_ isDeleted: Bool) async throws {
        let user = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        _ = try await client.requestPasswordReset(email: "ada@example.com")
        #expect(try await disk.load(key(.flow)) != nil)
        store.refuses([.flow])
        _ = recorder.take()
        if isDeleted { try await client.account.delete() } else { try await client.signOut() }
        let told = recorder.take().filter { $0.name == .persistenceFailed }
        #expect(told.map { $0[.slot] } == ["flow"])
        #expect(told.first?[.code] == "full")
        #expect(client.persistence == .memoryOnly(StoreFailure(StoreError(.full, "There is no space left."))))
        store.before(nil)
        while client.persistence != .stored {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(try await disk.load(key(.flow)) == nil)
        while !recorder.all.contains(where: { $0.name == .persistenceHealed && $0[.slot] == "flow" }) { await Task.yield() }
        #expect(await relaunched().pending == nil)
        #expect(!user.isEmpty)
    }

    @Test func endedSessionEndsTheUsersFlows() async throws {
        let user = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        _ = try await client.requestPasswordReset(email: "ada@example.com")
        await backend.delete(user)
        clock.advance(by: .seconds(3601))
        _ = try? await client.accessToken()
        #expect(client.state.session == nil)
        #expect(try await disk.load(key(.flow)) == nil)
    }

    @Test func unreadableFlowIsQuarantinedAndTheNextIsStored() async throws {
        _ = try await disk.replace(key(.flow), with: [1, 2, 3], unlessChangedSince: nil)
        let client = client()
        let flow = try await begun(client)
        #expect(disk.quarantinedValues(for: key(.flow)) == [[1, 2, 3]])
        #expect(await relaunched().pending?.flow?.id == flow.id)
    }

    // MARK: The device

    @Test func deviceNotesOfProcessesAreMerged() async throws {
        let adapter = NotingAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        _ = await backend.create(email: "ada@example.com", password: password)
        _ = await backend.create(email: "bob@example.com", password: password)
        let (first, second) = (client(adapter: adapter), client(on: disk, adapter: adapter))
        let gate = Gate()
        store.before { call, key throws(StoreError) in
            if call == .replace, key.slot == .device { await gate.pass() }
        }
        let signIn = Task { try await first.signIn(with: .password(email: "ada@example.com", password: password)) }
        await gate.untilArrived()
        _ = try await second.signIn(with: .password(email: "bob@example.com", password: password))
        gate.open()
        _ = try await signIn.value
        let text = String(decoding: try await disk.load(key(.device))?.bytes ?? [], as: UTF8.self)
        #expect(text.contains("ada@example.com") && text.contains("bob@example.com"))
    }

    @Test func unwrittenNotesAreUsedAndWrittenLater() async throws {
        let adapter = NotingAdapter(base: InMemoryAdapter(backend: backend, clock: clock))
        _ = await backend.create(email: "ada@example.com", password: password)
        let client = client(adapter: adapter)
        store.refuses([.device])
        for _ in 0..<2 { _ = try await client.signIn(with: .password(email: "ada@example.com", password: password)) }
        #expect(adapter.seen.all == [nil, "ada@example.com"])
        #expect(recorder.all.contains { $0.name == .persistenceFailed && $0[.slot] == "device" })
        store.before(nil)
        while client.persistence != .stored {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(try await disk.load(key(.device)) != nil)
    }

    @Test func damagedNotesAreQuarantined() async throws {
        _ = await backend.create(email: "ada@example.com", password: password)
        _ = try await disk.replace(key(.device), with: [1, 2, 3], unlessChangedSince: nil)
        _ = try await client().signIn(with: .password(email: "ada@example.com", password: password))
        #expect(disk.quarantinedValues(for: key(.device)) == [[1, 2, 3]])
    }

    // MARK: Revocations

    @Test func revocationsOfANewerVersionAreKept() async throws {
        let newer = Array(#"{"value":{"list":[]},"version":2}"#.utf8)
        _ = try await disk.replace(key(.revocations), with: newer, unlessChangedSince: nil)
        _ = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        await backend.inject(.refusal(AuthError(.network, "No connection.", retry: .now)))
        try await client.signOut()
        #expect(try await disk.load(key(.revocations))?.bytes == newer)
        #expect(recorder.all.contains { $0.name == .persistenceFailed && $0[.slot] == "revocations" })
    }

    @Test func unwrittenRevocationIsSent() async throws {
        _ = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        let session = try #require(try await client.signIn(with: .password(email: "ada@example.com", password: password)).session)
        store.refuses([.revocations])
        await backend.inject(.refusal(AuthError(.network, "No connection.", retry: .now)), times: 1)
        try await client.signOut()
        #expect(await backend.accepts(refreshToken: session.refreshToken))
        // The next response of the backend triggers the write.
        _ = try? await client.signIn(with: .password(email: "ada@example.com", password: "wrong"))
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        while await backend.accepts(refreshToken: session.refreshToken) { await Task.yield() }
    }

    @Test func damagedRevocationsAreQuarantined() async throws {
        _ = try await disk.replace(key(.revocations), with: [1, 2, 3], unlessChangedSince: nil)
        _ = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        try await client.signOut()
        #expect(disk.quarantinedValues(for: key(.revocations)) == [[1, 2, 3]])
    }

    // MARK: The sign-out reason

    @Test func signOutReasonSurvivesARestart() async throws {
        #expect(await relaunched().state == .signedOut(.neverSignedIn))
        let user = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        try await client.signOut()
        #expect(await relaunched().state == .signedOut(.requested))

        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        #expect(await relaunched().state.session?.user.id == user)
        await backend.delete(user)
        clock.advance(by: .seconds(3601))
        _ = try? await client.accessToken()
        let reason = try #require({ if case .signedOut(let reason) = client.state { reason } else { nil } }())
        #expect(reason != .requested)
        #expect(await relaunched().state == .signedOut(reason))
    }

    @Test func reasonOfALaterVersionIsNotDamage() async throws {
        let bytes = Array(#"{"value":"abducted","version":1}"#.utf8)
        _ = try await disk.replace(key(.signOut), with: bytes, unlessChangedSince: nil)
        #expect(await relaunched().state == .signedOut(.neverSignedIn))
        #expect(try await disk.load(key(.signOut))?.bytes == bytes)
    }

    @Test func storedReasonContainsNothingOfTheUser() async throws {
        let user = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        try await client.signOut()
        #expect(!user.isEmpty)
        #expect(try await disk.load(key(.signOut))?.bytes == Array(#"{"value":"requested","version":1}"#.utf8))
    }
}

/// An adapter whose sign-in completes a part and then loses its connection.
private struct InterruptedAdapter: AuthAdapter {
    let base: InMemoryAdapter
    /// The completed parts that each sign-in found.
    let seen = MutexBox<[[String]]>([])

    var name: String { base.name }
    var backend: String { base.backend }
    @SignInStrategies var signIn: SignInStrategies { InterruptedSignIn(seen: seen) }
    var verification: [any VerificationStrategy] { base.verification }
    var sessions: any SessionAuthority { base.sessions }
    var callbacks: any CallbackReading { base.callbacks }
}

private struct InterruptedSignIn: SignInStrategy {
    let seen: MutexBox<[[String]]>

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let completed = flow.completed
        seen.change { $0.append(completed) }
        flow.complete("made")
        throw AuthError(.network, "No connection.", retry: .now)
    }
}

/// An adapter that stores the signed-in user on the device, and reads the earlier notes.
private struct NotingAdapter: AuthAdapter {
    final class Seen: Sendable {
        private let notes = MutexBox<[String?]>([])
        var all: [String?] { notes.value }
        func add(_ note: String?) { notes.change { $0.append(note) } }
    }

    let base: InMemoryAdapter
    let seen = Seen()

    var name: String { base.name }
    var backend: String { base.backend }
    @SignInStrategies var signIn: SignInStrategies { NotingSignIn(base: base, seen: seen) }
    var verification: [any VerificationStrategy] { base.verification }
    var sessions: any SessionAuthority { base.sessions }
    var callbacks: any CallbackReading { base.callbacks }
}

private struct NotingSignIn: SignInStrategy {
    let base: InMemoryAdapter
    let seen: NotingAdapter.Seen

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        guard let strategy = base.signIn.strategy(for: PasswordCredential.self) else { throw .cancelled }
        seen.add(flow[device: credential.email]?.reveal())
        flow[device: credential.email] = Secret(credential.email)
        return try await strategy.begin(credential, for: purpose, in: flow)
    }
}
