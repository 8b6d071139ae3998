import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport
import LockstepTokens

/// An emulated instance, and devices with an app on them.
struct Instance: Sendable {
    let server: EmulatorServer<ClerkEmulator>
    let adapter: ClerkAdapter
    /// The device's clock.
    let clock = ManualClock(base: FixedClock())
    let trace = HTTPTrace(limit: 64)
    let transport = CurlTransport()

    static let callback = "https://app.example.com/callback"
    private static let workers = Workers()
    private static let key = Prepared(on: workers) { try SigningKey.makeRSA(id: "ins_tests") }

    /// Runs a test on an instance with these settings, and stops it.
    static func run(
        _ settings: [(name: String, value: String)] = [], _ change: (inout ClerkSettings) -> Void = { _ in },
        _ body: (Instance) async throws -> Void
    ) async throws {
        var settings = try ClerkSettings([("PASSWORD_COST", "least")] + settings)
        change(&settings)
        var options = EmulatorOptions()
        options.workers = workers
        options.clock = ManualClock(base: FixedClock())
        let instance = try Instance(ClerkEmulator.start(settings, options, signingKey: try await key.value))
        do {
            try await body(instance)
        } catch {
            instance.server.stop()
            throw error
        }
        instance.server.stop()
    }

    private init(_ server: EmulatorServer<ClerkEmulator>) throws {
        self.server = server
        var configuration = try ClerkConfiguration(
            url: server.base, key: server.emulator.publishableKey, callback: Self.callback)
        // Real time, which ends only hanging requests.
        configuration.deadline = .seconds(600)
        adapter = ClerkAdapter(
            configuration, transport: TracingTransport(transport, clock: SystemClock(), trace: trace), clock: clock)
    }

    var admin: ClerkAdministrator { server.emulator.admin }

    /// A client on its own device, or on the device with this store.
    func client(
        _ store: MemorySessionStore? = nil, options: AuthClient.Options = AuthClient.Options()
    ) throws -> AuthClient {
        AuthClient(
            adapter: adapter, store: store ?? MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()), options: options)
    }

    /// A user with a verified address.
    func member(_ email: String = "ada@example.com") async throws -> PasswordCredential {
        let credential = PasswordCredential(email: email, password: "Correct-Horse-1")
        _ = try await admin.createUser(email: email, password: credential.password, firstName: "Ada", lastName: "Lovelace")
        return credential
    }

    /// Advances every clock.
    func advance(by duration: Duration) {
        server.panel.advance(by: duration)
        clock.advance(by: duration)
    }

    /// The code of the newest message to an address or number.
    func code(for recipient: String) throws -> Secret {
        let mails = server.panel.outbox.mails(to: recipient).map { ($0.date, $0.code) }
        let texts = server.panel.outbox.shortMessages.filter { $0.to == recipient }.map { ($0.date, $0.code) }
        guard let code = (mails + texts).max(by: { $0.0 < $1.0 })?.1 else {
            throw AuthError(.invalidCode, "No message to the address has a code.")
        }
        return Secret(code)
    }

    /// A call of the team's own server.
    @discardableResult
    func backend(_ method: HTTPMethod, _ path: String, _ body: JSON) async throws -> JSON {
        let response = try await transport.send(
            HTTPRequest(
                method, server.base + "/v1" + path,
                headers: ["Authorization": "Bearer " + server.emulator.secretKey.reveal()], body: .json(body)))
        guard response.isSuccess else {
            throw AuthError(.invalidInput, "The call answers \(response.status): \(response.text ?? "")")
        }
        return try JSON.parse(response.body)
    }

    /// The number of requests that `body` sends.
    func requests(_ body: () async throws -> Void) async throws -> Int {
        let before = trace.totals.requests
        try await body()
        return trace.totals.requests - before
    }

    /// The last address of a browser that opens a page of the instance.
    func browse(_ url: String) async throws -> String {
        var url = url
        for _ in 0..<5 where !url.hasPrefix(Self.callback) {
            guard let next = try await transport.send(HTTPRequest(.get, url)).headers["Location"] else { break }
            url = next
        }
        return url
    }
}
