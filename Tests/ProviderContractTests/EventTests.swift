import Lockstep
import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

/// Events of requests, and the headers sent with them, over real HTTP.
@Suite("Events over HTTP", .limitedConcurrency)
struct EventTests {
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]
    private static let email = "ada@example.com"
    private static let password: Secret = "Correct-Horse-1"
    private static let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private final class Recorder: Sendable {
        private let state = Mutex<[AuthEvent]>([])
        var sink: AuthEventSink { AuthEventSink { event in self.state.withLock { $0.append(event) } } }
        var all: [AuthEvent] { state.withLock { $0 } }
    }

    private static func client(_ environment: TestEnvironment, _ events: AuthEventSink = .none) async throws -> AuthClient {
        _ = try await environment.administrator?.create(
            email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada")
        return AuthClient(
            adapter: environment.adapter, store: MemorySessionStore(clock: environment.clock),
            effects: ClientEffects(clock: environment.clock, randomness: environment.randomness, events: events))
    }

    /// Signs in, lets the token expire, and gets another one.
    private static func drive(_ client: AuthClient, _ environment: TestEnvironment) async throws {
        let session = try #require(try await client.signIn(with: .password(email: email, password: password)).session)
        // The previous session ends after the response. The clock must not pass the deadline of that request.
        await client.settle()
        try await environment.backendClock?.advance(by: session.lifetime.life + .seconds(1))
        environment.clock.advance(by: session.lifetime.life + .seconds(1))
        _ = try await client.accessToken()
    }

    @Test("every request is reported at its start and end, within its call", arguments: [0, 1, 2])
    func reportsEveryRequest(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let recorder = Recorder()
            let client = try await Self.client(environment, recorder.sink)
            let trace = try #require(environment.trace)
            let before = trace.totals
            try await Self.drive(client, environment)
            let spent = trace.totals - before
            let events = recorder.all
            let began = events.filter { $0.name == .requestBegan }
            let ended = events.filter { $0.name == .requestEnded }
            #expect(began.count == spent.requests && spent.requests >= 2)
            #expect(began.map { $0[.request] } == ended.map { $0[.request] })
            #expect(Set(began.map { $0[.request] }).count == began.count)
            #expect(ended.allSatisfy { $0.status == 200 && $0[.outcome] == "ok" && $0[.bytes].flatMap { Int($0) } ?? 0 > 0 })
            #expect(ended.allSatisfy { $0.duration != nil && $0[.route]?.hasPrefix("/") == true })

            let calls = events.filter { $0.name == .callBegan }.map { $0[.callID] }
            #expect(calls == events.filter { $0.name == .callEnded }.map { $0[.callID] })
            #expect(calls.count == 2 && Set(calls).count == 2)
            let refresh = events.filter { $0[.callID] == calls[1] }.map(\.name)
            let expected: [AuthEvent.Name] = [.callBegan, .requestBegan, .requestEnded, .sessionRefreshed]
            #expect(refresh.filter { $0 != .stateChanged } == expected + [.callEnded])
        }
    }

    @Test("every request sends the caller's traceparent, and none if the caller has none", arguments: [0, 1, 2])
    func carriesTheTrace(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = try await Self.client(environment)
            let trace = try #require(environment.trace)
            try await Self.drive(client, environment)
            #expect(!trace.transcript.lowercased().contains("traceparent"))
            let before = trace.totals
            let context = try TraceContext(traceparent: Self.traceparent)
            try await TraceContext.$current.withValue(context) { try await Self.drive(client, environment) }
            let sent = (trace.totals - before).requests
            // Both sides have recorded it: the adapter's and the server's.
            let seen = trace.transcript.split(separator: Self.traceparent).count - 1
            #expect(seen == 2 * sent && sent >= 2)
        }
    }

    @Test("one line explains a sign-out by an administrator")
    func explainsASignOut() async throws {
        let harness = GoTrueHarness()
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let recorder = Recorder()
            let client = try await Self.client(environment, recorder.sink)
            try await Self.drive(client, environment)
            let session = try #require(client.state.session)
            let mark = try #require(recorder.all.last { $0.name == .sessionRefreshed }?[.session])
            try await environment.administrator?.endSessions(of: session.user.id)
            environment.clock.advance(by: session.lifetime.life + .seconds(1))
            _ = try? await client.accessToken()
            let ended = recorder.all.filter { $0.name == .sessionEnded }
            #expect(ended.count == 1)
            let line = "session.ended reason=revoked verdict=refresh_token_not_found session=\(mark) callID="
            #expect(ended.first?.description.hasPrefix(line) == true, "\(ended)")
        }
    }
}
