import LockstepHTTP
import LockstepPrimitives
import Testing

@Suite struct TraceTests {
    @Test func countsRequestsBytesAndTime() async throws {
        let trace = HTTPTrace(limit: 2)
        let transport = TracingTransport(
            Answering(HTTPResponse(status: 200, body: [1, 2, 3])), clock: SystemClock(), trace: trace)
        let before = trace.totals
        for _ in 0..<5 { _ = try await transport.send(HTTPRequest(.post, "http://h/", body: .form(["a": "b"]))) }
        let spent = trace.totals - before
        #expect(spent.requests == 5)
        #expect(spent.bytesDown == 5 * (17 + 2 + 3))
        #expect(spent.bytesUp > 5 * 3)
        #expect(trace.exchanges.count == 2)
        #expect(trace.exchanges.allSatisfy { $0.status == 200 })
    }

    @Test func recordsFailuresAndRethrowsThem() async {
        let trace = HTTPTrace()
        let failure = HTTPFailure(.timedOut, .mayHaveReachedServer, "Too late.")
        let transport = TracingTransport(Answering(failure), clock: SystemClock(), trace: trace)
        await #expect(throws: failure) { try await transport.send(HTTPRequest(.get, "http://h/")) }
        #expect(trace.totals.requests == 1)
        #expect(trace.exchanges.first?.status == nil)
    }

    @Test func loopbackTransportRejectsOtherHostsUnsent() async throws {
        let trace = HTTPTrace()
        let transport = TracingTransport(Answering(HTTPResponse(status: 200)), clock: SystemClock(), trace: trace).loopbackOnly
        let failure = await #expect(throws: HTTPFailure.self) {
            try await transport.send(HTTPRequest(.get, "https://example.com/"))
        }
        #expect(failure?.code == .notLoopback)
        #expect(failure?.phase == .neverSent)
        #expect(trace.totals.requests == 0)
        #expect(try await transport.send(HTTPRequest(.get, "http://localhost:1/")).status == 200)
    }

    /// Firebase's own emulator quotes an ID token that it could not read.
    @Test(arguments: [
        HTTPBody.json(["id_token": "not-a-token-at-all-9"]), .form(["id_token": "not-a-token-at-all-9"]),
        .json(["postBody": "id_token=not-a-token-at-all-9&providerId=apple.com"]),
    ])
    func secretQuotedInAResponseIsMasked(_ body: HTTPBody) async throws {
        let trace = HTTPTrace()
        let response: JSON = ["error": ["message": "INVALID : cannot parse not-a-token-at-all-9"]]
        let transport = TracingTransport(
            Answering(HTTPResponse(status: 400, headers: ["Content-Type": "application/json"], body: response.bytes())),
            clock: SystemClock(), trace: trace)
        _ = try await transport.send(HTTPRequest(.post, "http://127.0.0.1:1/", body: body))
        let shown = try #require(trace.exchanges.first)
        guard case .answered(_, _, let text) = shown.outcome else {
            Issue.record("no answer was recorded")
            return
        }
        #expect(!text.contains("not-a-token-at-all-9"))
        #expect(text.contains("cannot parse"))
    }

    /// Bodies and responses are redacted at their first use.
    ///
    /// Before that, no description may show them either.
    @Test func unredactedTraceShowsNothing() async throws {
        let trace = HTTPTrace()
        let response: JSON = ["access_token": "quiet-answer-7", "refresh_token": "quiet-answer-8"]
        let transport = TracingTransport(
            Answering(HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: response.bytes())),
            clock: SystemClock(), trace: trace)
        _ = try await transport.send(HTTPRequest(.post, "http://h/", body: .json(["password": "quiet-answer-9"])))
        let exchange = try #require(trace.exchanges.first)
        var shown = String(describing: exchange) + String(reflecting: exchange)
        dump(exchange, to: &shown)
        dump(trace, to: &shown)
        #expect(!shown.contains("quiet-answer"))
        #expect(!exchange.body.contains("quiet-answer"))
        #expect(exchange.body.contains("password"))
        guard case .answered(200, _, let text) = exchange.outcome else {
            Issue.record("no answer was recorded")
            return
        }
        #expect(text.contains("access_token"))
        #expect(!text.contains("quiet-answer"))
    }
}
