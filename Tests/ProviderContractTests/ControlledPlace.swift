import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepFirebase
import LockstepFirebaseEmulator
import LockstepGoTrue
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport
import Testing

/// A provider's server with an adapter that reaches it.
enum ControlledPlace: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case clerk, firebase, goTrue

    var testDescription: String { rawValue }

    /// Runs a test on a new server.
    ///
    /// - `settings`: Settings by the provider's names, besides those that make the server fast and strict.
    func run(_ settings: [(name: String, value: String)] = [], _ test: (ControlCalls) async throws -> Void) async throws {
        switch self {
        case .goTrue:
            let settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")] + settings)
            let server = try GoTrueEmulator.start(settings)
            defer { server.stop() }
            let configuration = try GoTrueConfiguration(url: server.base, key: server.emulator.anonKey)
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock in
                    GoTrueAdapter(configuration, transport: CurlTransport(), clock: clock)
                })
        case .firebase:
            let lines = (["mode=strict", "hashing.memoryCost=4"] + settings.map { "\($0.name)=\($0.value)" })
            let server = try FirebaseEmulator.start(try FirebaseSettings(lines: lines))
            defer { server.stop() }
            let key = server.emulator.settings.apiKey
            let configuration = try FirebaseConfiguration(apiKey: key, url: server.base)
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock in
                    FirebaseAdapter(configuration, transport: CurlTransport(), clock: clock)
                })
        case .clerk:
            let server = try ClerkEmulator.start(try ClerkSettings([("PASSWORD_COST", "least")] + settings))
            defer { server.stop() }
            let configuration = try ClerkConfiguration(publishableKey: server.emulator.publishableKey, url: server.base)
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock in
                    ClerkAdapter(configuration, transport: CurlTransport(), clock: clock)
                })
        }
    }
}

/// The control routes of one server, over HTTP, and its clients.
struct ControlCalls: Sendable {
    static let password: Secret = "Correct-Horse-1"

    let ready: ReadyLine
    let panel: ControlPanel
    let adapter: @Sendable (ManualClock) -> any AuthAdapter
    let clock = ManualClock(base: SystemClock())
    private let transport = CurlTransport()

    init(ready: ReadyLine, panel: ControlPanel, _ adapter: @escaping @Sendable (ManualClock) -> any AuthAdapter) {
        self.ready = ready
        self.panel = panel
        self.adapter = adapter
    }

    func callAsFunction(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, json: JSON) {
        var request = HTTPRequest(method, ready.base + "/__lockstep" + path)
        request.headers["Authorization"] = "Bearer " + ready.token.reveal()
        if let body {
            request.body = HTTPBody(body.bytes(.compact), type: "application/json")
        }
        let response = try await transport.send(request)
        return (response.status, (try? JSON.parse(response.body)) ?? .null)
    }

    /// Makes a user with a verified address and ``password``.
    ///
    /// - Returns: The id.
    func makeUser(_ address: String = "ada@example.com") async throws -> String {
        let made = try await self(
            .post, "/users",
            ["email": .string(address), "emailConfirmed": true, "password": .string(Self.password.reveal())])
        return try #require(made.json["id"]?.string)
    }

    func client() -> AuthClient {
        AuthClient(
            adapter: adapter(clock), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }
}
