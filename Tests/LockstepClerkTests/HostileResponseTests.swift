import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepClerk

/// Ids and addresses from a hostile backend.
@Suite(.limitedConcurrency)
struct HostileResponseTests {
    static let ids = [
        "../x", "..", ".", "a/b", "?x", "x?y=z", "#x", "a\0b", "%2e%2e", "a%2fb", "\\x", "a b", "sess_é", "", "a;b", "@host",
        "\r\nX: y",
        String(repeating: "a", count: 10_000),
    ]

    @Test(arguments: ids) func unsafeIDsAreRejectedInPaths(id: String) {
        let server: BackendPath = "/me/\(id)/x"
        #expect(throws: AuthError.self) { try server.text() }
        do { _ = try server.text() } catch { #expect(error.code == .invalidResponse) }
        let app: BackendPath = "/me/\(given: id)"
        do { _ = try app.text() } catch { #expect(error.code == .invalidInput) }
        #expect(throws: AuthError.self) { try (app + "/y").text() }
    }

    @Test(arguments: ["sess_2abcDEF", "1b671a64-40d5-491e-99b0-da01ff1f3341", "a.b", "A~1", "x..y"])
    func usualIDsAreAcceptedInPaths(id: String) throws {
        let path: BackendPath = "/me/\(id)/x"
        #expect(try path.text() == "/me/\(id)/x")
    }

    @Test(arguments: ids.dropLast()) func malformedSessionIDIsRejectedUnsent(id: String) async throws {
        let playback = Playback(.json(200, ["jwt": .string(Clerk.token)]))
        let api = try Clerk.adapter(playback).api
        let user = User(id: "u")
        let error = await #expect(throws: AuthError.self) { try await api.session(id, user: user, client: "client") }
        #expect(error?.code == .invalidResponse)
        #expect(playback.requests.isEmpty)
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "https://a@evil.example/"])
    func signInPageMustBeHTTPS(page: String) async throws {
        let attempt: JSON = [
            "response": [
                "object": "sign_in_attempt", "id": "sia_1", "status": "needs_first_factor",
                "first_factor_verification": ["external_verification_redirect_url": .string(page)],
            ], "client": .null,
        ]
        let client = AuthClient(
            adapter: try Clerk.adapter(Playback(.json(200, attempt))), store: MemorySessionStore(),
            effects: ClientEffects(clock: Clerk.clock, randomness: SystemRandomness()))
        let error = await #expect(throws: AuthError.self) { try await client.signIn(with: .oauth(.github)) }
        #expect(error?.code == .invalidResponse)
    }
}
