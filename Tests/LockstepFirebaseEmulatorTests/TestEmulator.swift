import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

/// A running emulator and a client over a real socket.
final class TestEmulator: Sendable {
    let server: EmulatorServer<FirebaseEmulator>
    private let transport = CurlTransport()

    static let toolkit = "/identitytoolkit.googleapis.com/v1/"
    static let password = "correct horse"
    /// One key for all, because generating one takes longer than most tests.
    private static let key = try? FirebaseSettings.makeSigningKey()

    init(
        _ mode: FirebaseMode = .strict, storage: Storage = .memory, clock: ManualClock? = nil,
        _ change: (inout FirebaseSettings) -> Void = { _ in }
    ) throws {
        var settings = FirebaseSettings(mode: mode)
        settings.hashing.memoryCost = 1
        settings.signingKey = Self.key
        change(&settings)
        var options = EmulatorOptions()
        options.storage = storage
        options.clock = clock
        server = try FirebaseEmulator.start(settings, options)
    }

    deinit { server.stop() }

    var admin: FirebaseAdministrator { server.emulator.admin }

    struct TestResponse {
        let status: Int
        let json: JSON
        let response: HTTPResponse

        /// The code of an error: the text before the first colon.
        var code: String? {
            json["error"]?["message"]?.string?.split(separator: ":").first.map { $0.split(separator: " ").joined(separator: " ") }
        }

        subscript(name: String) -> String { json[name]?.string ?? "" }
    }

    func send(_ request: HTTPRequest) async throws -> TestResponse {
        let response = try await transport.send(request)
        return TestResponse(status: response.status, json: (try? response.json()) ?? .null, response: response)
    }

    /// Calls an operation like an app.
    func call(_ operation: String, _ body: JSON = [:]) async throws -> TestResponse {
        try await send(HTTPRequest(.post, server.base + Self.toolkit + operation + "?key=any", body: .json(body)))
    }

    /// Calls an operation of the second version.
    func call2(_ operation: String, _ body: JSON = [:]) async throws -> TestResponse {
        try await send(
            HTTPRequest(.post, server.base + "/identitytoolkit.googleapis.com/v2/" + operation + "?key=any", body: .json(body)))
    }

    /// Calls an operation as an administrator.
    func manage(_ operation: String, _ body: JSON = [:]) async throws -> TestResponse {
        let project = server.emulator.settings.project
        return try await send(
            HTTPRequest(
                .post, server.base + Self.toolkit + "projects/\(project)/" + operation,
                headers: ["Authorization": "Bearer owner"], body: .json(body)))
    }

    /// Calls a path of the second version as an administrator, relative to the project if it begins without a slash.
    func configure(_ method: HTTPMethod, _ path: String, query: HTTPForm = [:], _ body: JSON? = nil) async throws
        -> TestResponse
    {
        let project = "/identitytoolkit.googleapis.com/v2/projects/\(server.emulator.settings.project)/"
        return try await send(
            HTTPRequest(
                method, server.base + (path.hasPrefix("/") ? path : project + path), query: query,
                headers: ["Authorization": "Bearer owner"], body: body.map { .json($0) } ?? .none))
    }

    func refresh(_ token: String) async throws -> TestResponse {
        try await send(
            HTTPRequest(
                .post, server.base + "/securetoken.googleapis.com/v1/token?key=any",
                body: .form(["grant_type": "refresh_token", "refresh_token": token])))
    }

    func get(_ path: String) async throws -> TestResponse {
        try await send(HTTPRequest(.get, server.base + path))
    }

    func signUp(_ email: String = "ada@example.com", password: String = TestEmulator.password) async throws -> TestResponse {
        try await call("accounts:signUp", ["email": .string(email), "password": .string(password), "returnSecureToken": true])
    }

    func signIn(_ email: String = "ada@example.com", password: String = TestEmulator.password) async throws -> TestResponse {
        try await call(
            "accounts:signInWithPassword",
            ["email": .string(email), "password": .string(password), "returnSecureToken": true])
    }

    func lookup(_ token: String) async throws -> TestResponse {
        try await call("accounts:lookup", ["idToken": .string(token)])
    }

    func pass(_ seconds: Int) { server.panel.advance(by: .seconds(seconds)) }

    /// The link of the newest unread mail to an address.
    func link(to email: String) -> String? { server.panel.outbox.takeMail(to: email)?.link }
}
