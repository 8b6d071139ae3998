import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// A native app: it keeps the client's token and sends it with every request.
final class Device: Sendable {
    private let emulator: TestEmulator
    private let kept = Mutex("")

    init(_ emulator: TestEmulator) { self.emulator = emulator }

    var token: String {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    func call(
        _ method: HTTPMethod, _ path: String, _ form: HTTPForm = [:], query: String = "", headers more: HTTPHeaders = [:]
    ) async throws -> TestResponse {
        var headers: HTTPHeaders = ["clerk-api-version": "2026-05-12"]
        if !token.isEmpty { headers.append("Authorization", token) }
        for field in more { headers.append(field.name, field.value) }
        let answer = try await emulator.send(
            HTTPRequest(
                method, "\(emulator.server.base)/v1\(path)?_is_native=true\(query)", headers: headers,
                body: form.isEmpty ? .none : .form(form)))
        if let new = answer.headers["Authorization"] { token = new == "Bearer" ? "" : new }
        return answer
    }

    func get(_ path: String, query: String = "") async throws -> TestResponse { try await call(.get, path, query: query) }

    func post(_ path: String, _ form: HTTPForm = [:], query: String = "") async throws -> TestResponse {
        try await call(.post, path, form, query: query)
    }

    /// Signs up with a password and the mailed code.
    @discardableResult
    func signUp(_ email: String = "ada@example.com", password: String = TestEmulator.password) async throws -> TestResponse {
        let begun = try await post("/client/sign_ups", ["email_address": email, "password": password])
        _ = try await post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": "email_code"])
        return try await post(
            "/client/sign_ups/\(begun["id"])/attempt_verification", ["strategy": "email_code", "code": emulator.code(to: email)])
    }

    @discardableResult
    func signIn(_ identifier: String = "ada@example.com", password: String = TestEmulator.password) async throws -> TestResponse {
        try await post("/client/sign_ins", ["identifier": identifier, "password": password])
    }

    /// Starts a sign-in and asks for a code of the strategy.
    func prepare(_ strategy: String, _ identifier: String = "ada@example.com") async throws -> TestResponse {
        let begun = try await post("/client/sign_ins", ["identifier": identifier])
        return try await post("/client/sign_ins/\(begun["id"])/prepare_first_factor", ["strategy": strategy])
    }

    /// A new session token.
    func sessionToken() async throws -> TestResponse {
        let client = try await get("/client").response
        return try await post("/client/sessions/\(client["last_active_session_id"]?.string ?? "")/tokens")
    }

    /// The active session of the device.
    func sessionID() async throws -> String {
        try await get("/client").response["last_active_session_id"]?.string ?? ""
    }
}
