import LockstepCurl
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

/// A running emulator with a manual clock, and a client over a real socket.
final class TestEmulator: Sendable {
    let server: EmulatorServer<GoTrueEmulator>
    private static let transport = CurlTransport()

    static let password = "Correct-Horse-1"

    init(storage: Storage = .memory, mirror: (any RowMirror)? = nil, _ change: (inout GoTrueSettings) -> Void = { _ in }) throws {
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.mail.interval = .milliseconds(1)
        settings.signIn.allowsAnonymous = true
        settings.signIn.allowsPhone = true
        settings.passkeys.isEnabled = true
        change(&settings)
        var options = EmulatorOptions()
        options.storage = storage
        options.clock = ManualClock(base: FixedClock())
        server = try GoTrueEmulator.start(settings, options: options, mirror: mirror)
    }

    deinit { server.stop() }

    var administrator: GoTrueAdministrator { server.emulator.admin }

    struct TestResponse {
        let status: Int
        let json: JSON
        let response: HTTPResponse

        /// The code of an error.
        var code: String? { json["error_code"]?.string }

        subscript(name: String) -> String { json[name]?.string ?? "" }
    }

    func send(_ request: HTTPRequest) async throws -> TestResponse {
        let response = try await Self.transport.send(request)
        return TestResponse(status: response.status, json: (try? JSON.parse(response.body)) ?? .null, response: response)
    }

    func post(_ path: String, _ body: JSON = [:], bearer: String? = nil) async throws -> TestResponse {
        try await send(HTTPRequest(.post, server.base + path, headers: Self.headers(bearer), body: .json(body)))
    }

    func get(_ path: String, bearer: String? = nil) async throws -> TestResponse {
        try await send(HTTPRequest(.get, server.base + path, headers: Self.headers(bearer)))
    }

    func put(_ path: String, _ body: JSON, bearer: String? = nil) async throws -> TestResponse {
        try await send(HTTPRequest(.put, server.base + path, headers: Self.headers(bearer), body: .json(body)))
    }

    static func headers(_ bearer: String?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if let bearer { headers.append("Authorization", "Bearer \(bearer)") }
        return headers
    }

    func signIn(_ email: String, _ password: String = TestEmulator.password) async throws -> TestResponse {
        try await post("/token?grant_type=password", ["email": .string(email), "password": .string(password)])
    }
}
