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
    /// - `settings`: Settings by the provider's names, in addition to those that make the server fast and strict.
    func run(_ settings: [(name: String, value: String)] = [], _ test: (ControlCalls) async throws -> Void) async throws {
        switch self {
        case .goTrue:
            let settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")] + settings)
            let server = try GoTrueEmulator.start(settings)
            defer { server.stop() }
            let key = server.emulator.anonKey
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock, base, name throws(AuthError) in
                    GoTrueAdapter(
                        try GoTrueConfiguration(url: base, key: key, backend: name), transport: CurlTransport(), clock: clock)
                })
        case .firebase:
            let lines = (["mode=strict", "hashing.memoryCost=4"] + settings.map { "\($0.name)=\($0.value)" })
            let server = try FirebaseEmulator.start(try FirebaseSettings(lines: lines))
            defer { server.stop() }
            let key = server.emulator.settings.apiKey
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock, base, name throws(AuthError) in
                    FirebaseAdapter(
                        try FirebaseConfiguration(url: base, key: key, backend: name), transport: CurlTransport(), clock: clock
                    )
                })
        case .clerk:
            let server = try ClerkEmulator.start(try ClerkSettings([("PASSWORD_COST", "least")] + settings))
            defer { server.stop() }
            let key = server.emulator.publishableKey
            try await test(
                ControlCalls(ready: server.ready, panel: server.panel) { clock, base, name throws(AuthError) in
                    ClerkAdapter(
                        try ClerkConfiguration(url: base, key: key, backend: name), transport: CurlTransport(),
                        clock: clock)
                })
        }
    }
}

/// The control routes of one server, over HTTP, and its clients.
struct ControlCalls: Sendable {
    static let password: Secret = "Correct-Horse-1"

    let ready: ReadyLine
    let panel: ControlPanel
    /// Creates an adapter for the server at an address, with a name for it.
    typealias MakeAdapter = @Sendable (ManualClock, _ base: String, _ name: String?) throws(AuthError) -> any AuthAdapter

    private let makeAdapter: MakeAdapter
    let clock = ManualClock(base: SystemClock())
    private let transport = CurlTransport()

    init(ready: ReadyLine, panel: ControlPanel, _ makeAdapter: @escaping MakeAdapter) {
        self.ready = ready
        self.panel = panel
        self.makeAdapter = makeAdapter
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

    /// Creates a user with a verified address and ``password``.
    ///
    /// - Returns: The id.
    func makeUser(_ address: String = "ada@example.com") async throws -> String {
        let made = try await self(
            .post, "/users",
            ["email": .string(address), "emailConfirmed": true, "password": .string(Self.password.reveal())])
        return try #require(made.json["id"]?.string)
    }

    func client() throws -> AuthClient { try client(MemorySessionStore(clock: clock), at: ready.base, named: nil) }

    func client(_ store: any SessionStore, at base: String, named name: String?) throws -> AuthClient {
        AuthClient(
            adapter: try makeAdapter(clock, base, name), store: store,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }
}
