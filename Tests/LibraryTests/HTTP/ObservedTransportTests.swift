import LockstepHTTP
import LockstepPrimitives
import Synchronization
import Testing

@Suite("Events of a request")
struct ObservedTransportTests {
    @Test(arguments: [
        ("https://ref.supabase.co/auth/v1/token?grant_type=refresh_token", "/auth/v1/token"),
        ("http://127.0.0.1:9999/factors/3f1f3b62-0d1c-4a58-9d0e-8e2a6b6c7d8e/verify", "/factors/*/verify"),
        ("https://clerk.example.com/v1/client/sessions/sess_abcdefghijklmnopqrstuvwxyza/tokens", "/v1/client/sessions/*/tokens"),
        (
            "https://c.example.com/v1/client/sign_ins/sia_2NoN4NQ3PVr6/attempt_first_factor",
            "/v1/client/sign_ins/*/attempt_first_factor"
        ),
        (
            "https://identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber?key=AIza",
            "/v1/accounts:signInWithPhoneNumber"
        ),
        (
            "http://h/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start#x",
            "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start"
        ),
        ("http://h/users/ada@example.com/%61da/+1555", "/users/*/*/*"), ("http://h/v12345/v1a", "/*/*"), ("http://h", "/"),
        ("http://ada:secret@h?code=abc", "/"),
    ])
    func routeContainsNoIDs(_ url: String, _ route: String) {
        #expect(HTTPRequest(.get, url).route == route)
    }

    private final class Told: Sendable {
        let lines = Mutex<[String]>([])

        var observer: RequestObserver {
            RequestObserver(callID: "c") { method, route in
                self.lines.withLock { $0.append("\(method) \(route)") }
                return { end in self.lines.withLock { $0.append("\(end)") } }
            }
        }
    }

    @Test func requestIsReportedAtItsStartAndEnd() async throws {
        let told = Told()
        let failure = HTTPFailure(.timedOut, .mayHaveReachedServer, "Too late.")
        try await RequestObserver.$current.withValue(told.observer) {
            let response = HTTPResponse(status: 503, body: [1, 2, 3])
            _ = try await ObservedTransport(Answering(response)).send(HTTPRequest(.post, "http://h/token?code=1"))
            await #expect(throws: failure) {
                try await ObservedTransport(Answering(failure)).send(HTTPRequest(.get, "http://h/"))
            }
        }
        _ = try? await ObservedTransport(Answering(failure)).send(HTTPRequest(.get, "http://h/"))
        let expected = [
            "POST /token", "\(RequestEnd.answered(status: 503, bytes: 3))", "GET /", "\(RequestEnd.failed("timedOut"))",
        ]
        #expect(told.lines.withLock { $0 } == expected)
    }

    @Test func requestCarriesTheCurrentTraceContext() async throws {
        let sent = HTTPTrace()
        let transport = ObservedTransport(
            TracingTransport(Answering(HTTPResponse(status: 200)), clock: SystemClock(), trace: sent))
        let context = try TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        _ = try await transport.send(HTTPRequest(.get, "http://h/"))
        _ = try await TraceContext.$current.withValue(context) { try await transport.send(HTTPRequest(.get, "http://h/")) }
        #expect(sent.exchanges.map { $0.headers["traceparent"] } == [nil, context.traceparent])
    }
}
