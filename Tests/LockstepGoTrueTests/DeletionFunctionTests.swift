import Lockstep
import LockstepCurl
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// Errors of the team's own function that deletes accounts: the adapter reports them as the function's errors, not GoTrue's.
@Suite(.limitedConcurrency)
struct DeletionFunctionTests {
    private static let address = "http://127.0.0.1:9999/delete"

    private struct Case: Sendable, CustomTestStringConvertible {
        let response: HTTPResponse
        let code: AuthError.Code
        let retry: RetryAdvice
        var isNamed = true

        var testDescription: String { "\(response.status) \(String(decoding: response.body, as: UTF8.self))" }
    }

    private static let cases: [Case] = [
        // The function rejects the token: without a format, in the format of Supabase's gateway, and in GoTrue's.
        Case(response: HTTPResponse(status: 401), code: .accessTokenRefused, retry: .never),
        Case(
            response: .json(401, ["code": 401, "message": "Missing authorization header"]), code: .accessTokenRefused,
            retry: .never),
        Case(response: .json(401, ["msg": "Error: Invalid JWT"]), code: .accessTokenRefused, retry: .never),
        Case(response: .json(401, ["code": "bad_jwt"]), code: .accessTokenRefused, retry: .never),
        Case(response: .json(401, ["error": "Unauthorized"]), code: .accessTokenRefused, retry: .never),
        Case(response: .json(401, ["code": "something_new"]), code: .accessTokenRefused, retry: .never),
        // It fails, with and without a wait time.
        Case(response: HTTPResponse(status: 500), code: .serverUnavailable, retry: .after(.seconds(1))),
        Case(
            response: .json(500, ["code": "unexpected_failure", "message": "boom"]), code: .serverUnavailable,
            retry: .after(.seconds(1))),
        Case(response: .json(500, ["error": "boom"]), code: .serverUnavailable, retry: .after(.seconds(1))),
        Case(
            response: HTTPResponse(status: 503, headers: ["Retry-After": "30"]), code: .serverUnavailable,
            retry: .after(.seconds(30))),
        Case(response: HTTPResponse(status: 429), code: .tooManyRequests, retry: .after(.seconds(60))),
        // It does not exist, or must not be called.
        Case(response: HTTPResponse(status: 404), code: .invalidConfiguration, retry: .never),
        Case(
            response: .json(404, ["code": "NOT_FOUND", "message": "Requested function was not found"]),
            code: .invalidConfiguration, retry: .never),
        Case(response: HTTPResponse(status: 405), code: .invalidConfiguration, retry: .never),
        Case(response: HTTPResponse(status: 403), code: .notEnabled, retry: .never),
        // Its response has another format. The advice is to retry only after the page of a network.
        Case(response: .json(["ok": true]), code: .invalidResponse, retry: .never),
        Case(response: HTTPResponse(status: 200, body: Array("<html>".utf8)), code: .invalidResponse, retry: .now),
        // Its error about the user is reported as such.
        Case(
            response: .json(403, ["code": "reauthentication_needed"]), code: .reauthenticationRequired, retry: .never,
            isNamed: false),
        Case(response: .json(403, ["code": "session_not_found"]), code: .sessionRevoked, retry: .never, isNamed: false),
    ]

    @Test(arguments: cases.indices)
    func errorOfTheFunctionIsReported(_ place: Int) async throws {
        let wanted = Self.cases[place]
        let adapter = try GoTrue.adapter(Playback(.json(GoTrue.session()), wanted.response))
        let session = try await adapter.api.refresh("abcdefghijkl")
        let error = await #expect(throws: AuthError.self) { try await adapter.accountDeletion?.delete(session) }
        #expect(
            error?.code == wanted.code && error?.retry == wanted.retry, "\(wanted.testDescription): \(String(describing: error))")
        #expect(error?.message.contains(Self.address) == wanted.isNamed, "\(wanted.testDescription)")
    }

    /// No server listens on the first port.
    @Test func unreachableFunctionIsANetworkError() async throws {
        let configuration = try GoTrueConfiguration(
            url: GoTrue.url, key: nil, accountDeletion: "http://127.0.0.1:1/functions/v1/delete")
        let adapter = GoTrueAdapter(configuration, transport: CurlTransport(), clock: GoTrue.clock)
        let session = try await GoTrue.adapter(Playback(.json(GoTrue.session()))).api.refresh("abcdefghijkl")
        let error = await #expect(throws: AuthError.self) { try await adapter.accountDeletion?.delete(session) }
        #expect(error?.code == .network && error?.retry == .now)
        #expect(error?.message.contains("http://127.0.0.1:1/functions/v1/delete") == true)
    }
}
