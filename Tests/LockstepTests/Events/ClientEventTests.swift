import Dispatch
import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Synchronization
import Testing

@Suite("Events of a client")
struct ClientEventTests {
    private let clock = ManualClock(base: FixedClock())
    private let backend: InMemoryBackend
    private let store: MemorySessionStore
    private let recorder = EventRecorder()
    private let password: Secret = "Correct-Horse-1"

    init() {
        backend = InMemoryBackend(clock: clock)
        store = MemorySessionStore(clock: clock)
    }

    private func client(_ events: AuthEventSink? = nil, randomness: any Randomness = SeededRandomness(seed: 7)) -> AuthClient {
        let effects = ClientEffects(clock: clock, randomness: randomness, events: events ?? recorder.sink)
        return AuthClient(adapter: InMemoryAdapter(backend: backend, clock: clock), store: store, effects: effects)
    }

    /// A client with a session, before any event.
    private func signedIn() async throws -> (AuthClient, user: String) {
        let user = await backend.create(email: "ada@example.com", password: password)
        let client = client()
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        return (client, user)
    }

    private func expire() { clock.advance(by: .seconds(3601)) }

    @Test func callEventsShareTheIDOfTheCall() async throws {
        _ = try await signedIn()
        let told = recorder.take()
        #expect(told.map(\.name) == [.callBegan, .stateChanged, .requestBegan, .requestEnded, .stateChanged, .callEnded])
        #expect(Set(told.map { $0[.callID] }).count == 1)
        #expect(told[0][.callID]?.count == 8)
        #expect(told.last?[.call] == "signIn")
        #expect(told.last?[.outcome] == "ok")
        #expect(told.last?.duration == .zero)

        let (first, second) = (client(), client(randomness: SeededRandomness(seed: 8)))
        for client in [first, second] {
            do throws(AuthError) {
                _ = try await client.signIn(with: .password(email: "ada@example.com", password: "no"))
            } catch {}
        }
        let refused = recorder.take().filter { $0.name == .callEnded }
        #expect(refused.map { $0[.outcome] } == ["invalidCredentials", "invalidCredentials"])
        #expect(refused[0][.callID] != refused[1][.callID])
    }

    /// A listener that never returns blocks only the call whose event it got.
    @Test(.timeLimit(.minutes(10))) func blockingListenerDelaysOnlyItsCall() async throws {
        let user = await backend.create(email: "ada@example.com", password: password)
        let end = DispatchSemaphore(value: 0)
        let isHeld = MutexBox(false)
        let client = client(
            AuthEventSink { event in
                guard event.name == .stateChanged, event[.state] == "signedIn" else { return }
                var isFirst = false
                isHeld.change {
                    isFirst = !$0
                    $0 = true
                }
                if isFirst { end.wait() }
            })
        let (first, second) = (client.states, client.states)
        await client.restore()
        let isOver = MutexBox(false)
        let signingIn = Task {
            defer { isOver.change { $0 = true } }
            return try await client.signIn(with: .password(email: "ada@example.com", password: password))
        }
        while !isHeld.value { await Task.yield() }
        for states in [first, second] {
            for await state in states where state.session?.user.id == user { break }
        }
        #expect(try await !client.accessToken().isEmpty)
        // The test waits for the blocked call's own work, until the deadline at the latest. On this device it ends immediately.
        let isOut = MutexBox(false)
        let signingOut = Task {
            try? await client.signOut()
            isOut.change { $0 = true }
        }
        while !isOut.value {
            clock.advance(by: .seconds(1))
            for _ in 0..<100 { await Task.yield() }
        }
        await signingOut.value
        #expect(client.state == .signedOut(.requested))
        #expect(!isOver.value, "the listener held up nothing")
        end.signal()
        _ = try? await signingIn.value
        #expect(client.state == .signedOut(.requested), "the call that was held up brings the session back")
    }

    @Test func validTokenIsReturnedWithoutAnEvent() async throws {
        let (client, _) = try await signedIn()
        _ = recorder.take()
        for _ in 0..<100 { _ = try await client.accessToken() }
        #expect(recorder.all.isEmpty)
    }

    /// The client draws random ids only if there is a sink.
    @Test func withoutASinkNoIDsAreDrawn() async throws {
        final class Counted: Randomness {
            let drawn = Mutex(0)
            func bytes(_ count: Int) -> [UInt8] {
                drawn.withLock { $0 += 1 }
                return [UInt8](repeating: 1, count: count)
            }
        }
        let (_, user) = try await signedIn()
        let randomness = Counted()
        let silent = client(AuthEventSink.none, randomness: randomness)
        expire()
        _ = try await silent.accessToken()
        #expect(randomness.drawn.withLock { $0 } == 0)
        #expect(silent.state.session?.user.id == user)
        let loud = client(randomness: randomness)
        expire()
        _ = try await loud.accessToken()
        #expect(randomness.drawn.withLock { $0 } == 1)
    }

    @Test func aRefreshIsReportedByOutcomeWithItsLatency() async throws {
        let (client, _) = try await signedIn()
        _ = recorder.take()
        expire()
        _ = try await client.accessToken()
        let renewed = try #require(recorder.take().first { $0.name == .sessionRefreshed })
        #expect(renewed[.outcome] == "ok")
        #expect(renewed.duration == .zero)
        #expect(renewed[.session]?.count == 8)

        expire()
        await backend.inject(.refusal(AuthError(.network, "No connection.", retry: .now)), times: 1)
        _ = try? await client.accessToken()
        let failed = try #require(recorder.take().first { $0.name == .sessionRefreshed })
        #expect(failed[.outcome] == "network")
        #expect(failed[.session] == renewed[.session])
        #expect(failed.isTrouble)
    }

    @Test(arguments: [
        ("refresh_token_already_used", "refresh_token_already_used"), ("two words", "sessionRevoked"), ("", "sessionRevoked"),
        (String(repeating: "x", count: 65), "sessionRevoked"), ("no\nlines", "sessionRevoked"),
    ])
    func involuntarySignOutIsExplainedInOneLine(_ code: String, _ verdict: String) async throws {
        let (client, _) = try await signedIn()
        expire()
        _ = try await client.accessToken()
        let mark = try #require(recorder.all.last { $0.name == .sessionRefreshed }?[.session])
        expire()
        let detail = ProviderDetail(code: code, status: 400)
        await backend.inject(.refusal(AuthError(.sessionRevoked, "It has ended.", provider: detail)), times: 1)
        _ = recorder.take()
        _ = try? await client.accessToken()
        let told = recorder.take()
        let ended = told.filter { $0.name == .sessionEnded }
        #expect(ended.count == 1)
        let id = try #require(told.first?[.callID])
        #expect("\(ended[0])" == "session.ended reason=revoked verdict=\(verdict) session=\(mark) callID=\(id)")
    }

    /// A backend, or a proxy, can send anything in place of a code.
    @Test func tokenInPlaceOfACodeIsNotShown() async throws {
        let (client, _) = try await signedIn()
        let token = try #require(client.state.session?.refreshToken.reveal())
        expire()
        let detail = ProviderDetail(code: "bad:\(token)", status: 400)
        await backend.inject(.refusal(AuthError(.refreshTokenUnknown, "Unknown.", provider: detail)), times: 1)
        _ = try? await client.accessToken()
        let ended = try #require(recorder.all.first { $0.name == .sessionEnded })
        #expect(ended[.verdict] == "refreshTokenUnknown")
    }

    @Test func requestedSignOutIsNotInvoluntary() async throws {
        let (client, _) = try await signedIn()
        try await client.signOut()
        #expect(recorder.take().contains { $0.name == .stateChanged && $0.reason == .requested })
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: password))
        try await client.account.delete()
        let told = recorder.take()
        #expect(told.contains { $0.name == .stateChanged && $0.reason == .userDeleted })
        #expect(!told.contains { $0.name == .sessionEnded })
    }

    @Test func lostSessionIsExplained() async throws {
        let (client, _) = try await signedIn()
        let key = StoreKey(provider: client.adapterName, backend: InMemoryAdapter(backend: backend).backend, slot: .session)
        let revision = try await store.load(key)?.revision
        _ = try await store.replace(key, with: Array("no session".utf8), unlessChangedSince: revision)
        _ = recorder.take()
        #expect(await self.client().restore() == .signedOut(.storeDamaged))
        #expect(recorder.take().filter { $0.name == .sessionEnded }.map(\.description) == ["session.ended reason=storeDamaged"])

        try await store.remove(StoreKey(provider: key.provider, backend: key.backend, slot: .signOut))
        let other = StoreKey(provider: "former", backend: "https://former.example.com", slot: .session)
        _ = try await store.replace(other, with: Array("{}".utf8), unlessChangedSince: nil)
        #expect(await self.client().restore() == .signedOut(.backendChanged))
        let lines = recorder.take().map(\.description)
        #expect(lines.contains("session.ended reason=backendChanged"))
        #expect(lines.contains("session.backend-changed provider=former backend=https://former.example.com"))
    }

    /// The sink can use the client.
    ///
    /// The events that follow have the id of its call.
    @Test func sinkCanCallTheClient() async throws {
        let (inner, outer) = (EventRecorder(), EventRecorder())
        let other = client(inner.sink, randomness: SeededRandomness(seed: 99))
        let began = Mutex<[Task<Void, Never>]>([])
        let sink = outer.sink.and(
            AuthEventSink { event in
                guard event.name == .callBegan else { return }
                began.withLock { $0.append(Task { _ = try? await other.session() }) }
            })
        _ = try? await client(sink).session()
        for task in began.withLock({ $0 }) { await task.value }
        let ids = [inner, outer].map { Set($0.all.map { $0[.callID] }) }
        #expect(ids.allSatisfy { $0.count == 1 && !$0.contains(nil) })
        #expect(ids[0] != ids[1])
    }
}
