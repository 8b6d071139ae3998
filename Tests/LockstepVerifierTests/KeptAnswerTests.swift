import Lockstep
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import LockstepVerifierTestSupport
import Synchronization
import Testing

/// The cached answers about sessions.
@Suite("Cached answers about sessions", .limitedConcurrency, .timeLimit(.minutes(20)))
struct KeptAnswerTests {
    /// Counts the requests to a backend, and can delay them.
    private final class Counter: HTTPTransport {
        private let transport: any HTTPTransport
        private let count = Mutex(0)
        private let hold = Mutex<AsyncStream<Never>?>(nil)
        private let arrivals = AsyncStream<Void>.makeStream()

        init(_ transport: any HTTPTransport) { self.transport = transport }

        /// Returns when the next request has started.
        func arrival() async { for await _ in arrivals.stream { return } }

        /// The number of requests about sessions.
        var questions: Int { count.withLock { $0 } }

        /// Delays requests from now on, until the returned continuation is finished.
        func holdUp() -> AsyncStream<Never>.Continuation {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            hold.withLock { $0 = stream }
            return continuation
        }

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            guard !request.url.contains("jwk") else { return try await transport.send(request) }
            count.withLock { $0 += 1 }
            arrivals.continuation.yield()
            if let stream = hold.withLock({ $0 }) { for await _ in stream {} }
            return try await transport.send(request)
        }
    }

    /// A verifier of the emulated backend that caches answers, and the counter of its requests.
    private static func keeping(_ backend: Backend, for lifetime: Duration) throws -> (SessionVerifier, Counter) {
        let counter = Counter(Backend.transport)
        let check = SessionVerifier.Check.session(key: backend.checkKey, keptFor: lifetime)
        return (try backend.verifier(check, over: counter), counter)
    }

    @Test("an answer is cached for exactly the given time", arguments: Backend.Provider.allCases)
    func answerIsCachedForTheGivenTime(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            backend.clock.advance(by: .seconds(2))
            let (verifier, counter) = try Self.keeping(backend, for: .seconds(10))
            _ = try await verifier.verify(backend.token)
            try backend.admin.revokeSessions(of: backend.userID)
            backend.clock.advance(by: .milliseconds(9999))
            #expect(await code { try await verifier.verify(backend.token) } == nil)
            #expect(counter.questions == 1)
            backend.clock.advance(by: .milliseconds(1))
            #expect(await code { try await verifier.verify(backend.token) } == .sessionEnded)
            // An ended session is cached for the same time.
            #expect(await code { try await verifier.verify(backend.token) } == .sessionEnded)
            #expect(counter.questions == 2)
        }
    }

    @Test("without a cache time every request is checked", arguments: Backend.Provider.allCases)
    func withoutACacheEveryTokenIsChecked(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            backend.clock.advance(by: .seconds(2))
            let (verifier, counter) = try Self.keeping(backend, for: .zero)
            for _ in 0..<3 { _ = try await verifier.verify(backend.token) }
            #expect(counter.questions == 3)
            try backend.admin.revokeSessions(of: backend.userID)
            #expect(await code { try await verifier.verify(backend.token) } == .sessionEnded)
        }
    }

    /// The answer about another token never makes an invalid token valid, nor does the own answer of an expired one.
    @Test("a cached answer does not apply to another token", arguments: Backend.Provider.allCases)
    func cachedAnswerAppliesToOneToken(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let (verifier, counter) = try Self.keeping(backend, for: .seconds(100_000))
            let life = try await verifier.verify(backend.token).expiresAt - backend.clock.now
            let forged = try backend.forged(by: .makeP256(id: backend.key.id)) { _ in }
            #expect(await code { try await verifier.verify(forged) } != nil)
            let other = try backend.forged { $0["sub"] = "another" }
            #expect(await code { try await verifier.verify(other) } != nil)
            #expect(counter.questions == 2)
            backend.clock.advance(by: life)
            #expect(await code { try await verifier.verify(backend.token) } == .expired)
            #expect(counter.questions == 2)
        }
    }

    @Test func failedCheckIsNotCached() async throws {
        let clock = FixedClock()
        let backend = try TestBackend.goTrue(url: "https://ref.supabase.co/auth/v1", clock: clock)
        let counter = Counter(backend)
        let verifier = try SessionVerifier.goTrue(
            url: "https://ref.supabase.co/auth/v1", check: .session(key: "any", keptFor: .seconds(10)), transport: counter,
            clock: clock)
        // From now on the keys are known.
        _ = try await verifier.verify(backend.token(for: TestUser("bob")))
        let token = try backend.token(for: TestUser("ada"))
        backend.isReachable = false
        #expect(await code { try await verifier.verify(token) } == .sessionUnknown)
        backend.isReachable = true
        #expect(await code { try await verifier.verify(token) } == nil)
        #expect(counter.questions == 3)
    }

    @Test func concurrentChecksShareOneRequest() async throws {
        try await Backend.run(.goTrue) { backend in
            let (verifier, counter) = try Self.keeping(backend, for: .seconds(10))
            _ = try await backend.verifier(.untilExpiry, over: counter).verify(backend.token)
            let held = counter.holdUp()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await verifier.verify(backend.token).userID } }
                // A cancelled caller does not cancel the others' request.
                let quitter = Task { _ = try? await verifier.verify(backend.token) }
                await counter.arrival()
                quitter.cancel()
                held.finish()
                for try await id in group { #expect(id == backend.userID) }
            }
            #expect(counter.questions == 1)
        }
    }

    /// A session can end while the answer arrives.
    ///
    /// The answer must not hide this for longer than the given time.
    @Test func cacheTimeStartsAtTheRequest() async throws {
        try await Backend.run(.goTrue) { backend in
            let (verifier, counter) = try Self.keeping(backend, for: .seconds(10))
            let held = counter.holdUp()
            async let first = verifier.verify(backend.token)
            await counter.arrival()
            backend.clock.advance(by: .seconds(6))
            held.finish()
            _ = try await first
            backend.clock.advance(by: .milliseconds(3999))
            _ = try await verifier.verify(backend.token)
            #expect(counter.questions == 1)
            backend.clock.advance(by: .milliseconds(1))
            _ = try await verifier.verify(backend.token)
            #expect(counter.questions == 2)
        }
    }

    @Test func oldestAnswersAreDropped() async throws {
        let clock = FixedClock()
        let backend = try TestBackend.goTrue(url: "https://ref.supabase.co/auth/v1", signedBy: .secret("fast"), clock: clock)
        let counter = Counter(backend)
        let verifier = try SessionVerifier.goTrue(
            url: "https://ref.supabase.co/auth/v1", signedBy: .legacySecret("fast"),
            check: .session(key: "any", keptFor: .seconds(10)), transport: counter, clock: clock)
        let tokens = try (0...10_000).map { try backend.token(for: TestUser("user-\($0)")) }
        for token in tokens { _ = try await verifier.verify(token) }
        _ = try await verifier.verify(tokens[10_000])
        _ = try await verifier.verify(tokens[1])
        #expect(counter.questions == 10_001)
        _ = try await verifier.verify(tokens[0])
        #expect(counter.questions == 10_002)
    }

    @Test func negativeCacheTimeIsRejected() {
        #expect(throws: AuthError.self) {
            try SessionVerifier.firebase(
                project: "orders", check: .session(key: "any", keptFor: .seconds(-1)), transport: Backend.transport)
        }
    }
}
