import Lockstep
import LockstepCurl
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Errors of the team's own function that ends sessions: the adapter reports them as the function's errors, not Firebase's.
@Suite(.limitedConcurrency)
struct SessionEndingTests {
    private static let address = "http://127.0.0.1:9998/end-sessions"

    private static let cases: [(response: HTTPResponse, code: AuthError.Code, retry: RetryAdvice)] = [
        (HTTPResponse(status: 401), .accessTokenRefused, .never),
        (.json(400, ["error": ["status": "UNAUTHENTICATED", "message": "no"]]), .accessTokenRefused, .never),
        (HTTPResponse(status: 403), .notEnabled, .never),
        (HTTPResponse(status: 404), .invalidConfiguration, .never),
        (HTTPResponse(status: 405), .invalidConfiguration, .never),
        (.json(500, ["error": ["status": "INTERNAL", "message": "INTERNAL"]]), .serverUnavailable, .after(.seconds(1))),
        (HTTPResponse(status: 503, headers: ["Retry-After": "7"]), .serverUnavailable, .after(.seconds(7))),
        (.json(["ok": true]), .invalidResponse, .never),
        (HTTPResponse(status: 200, body: Array("<html>".utf8)), .invalidResponse, .now),
    ]

    @Test(arguments: cases.indices)
    func errorOfTheFunctionIsReported(_ place: Int) async throws {
        let wanted = Self.cases[place]
        let playback = Playback(.json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)), wanted.response)
        let configuration = try FirebaseConfiguration(
            url: Firebase.emulator, key: "fake-api-key", sessionEnding: Self.address)
        let adapter = FirebaseAdapter(configuration, transport: playback, clock: Firebase.clock)
        let step = try await PasswordSignIn(api: adapter.api).begin(
            .password(email: "ada@example.com", password: "Correct-Horse-1"), for: .signIn, in: Firebase.memory())
        let session = try #require(step.session)
        let error = await #expect(throws: AuthError.self) {
            try await adapter.sessions.revoke(session, scope: .everywhere)
        }
        #expect(error?.code == wanted.code && error?.retry == wanted.retry, "\(String(describing: error))")
        #expect(error?.message.contains(Self.address) == true)
        #expect(playback.requests.last?.url == Self.address)
    }
}
