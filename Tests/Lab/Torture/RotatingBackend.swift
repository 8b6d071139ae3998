package import Lockstep
import LockstepCurl
package import LockstepEmulation
import LockstepGoTrue
package import LockstepGoTrueEmulator
package import LockstepHTTP
package import LockstepPrimitives
import LockstepSystem

/// GoTrue's emulator with one user: a backend whose refresh tokens work once.
package struct RotatingBackend: Sendable {
    /// The address.
    package let base: String
    /// The user's address.
    package let email = "ada@example.com"
    /// The user's password.
    package let password: Secret = "correct horse battery staple"
    /// The server itself.
    package let server: EmulatorServer<GoTrueEmulator>

    /// Starts a backend, runs `body`, and stops it.
    package static func with<Result: Sendable>(_ body: @Sendable (RotatingBackend) async throws -> Result) async throws -> Result
    {
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.mail.confirmsByItself = true
        let server = try GoTrueEmulator.start(settings)
        let backend = RotatingBackend(server: server)
        do {
            let client = try backend.client(on: MemorySessionStore())
            _ = try await client.signUp(with: .password(email: backend.email, password: backend.password))
            let result = try await body(backend)
            try await backend.stop()
            return result
        } catch {
            try await backend.stop()
            throw error
        }
    }

    private init(server: EmulatorServer<GoTrueEmulator>) {
        self.server = server
        base = server.base
    }

    private func stop() async throws { try await Workers().run { server.stop() } }

    /// A client of this backend.
    package func client(on store: any SessionStore, clock: any DeviceClock = SystemClock()) throws -> AuthClient {
        try Self.client(of: base, on: store, clock: clock)
    }

    /// Returns a client of the backend at an address.
    ///
    /// - Parameters:
    ///   - transport: `nil` for one of its own.
    ///   - events: The receiver of events.
    /// - Throws: An error if the configuration is invalid.
    package static func client(
        of base: String, on store: any SessionStore, clock: any DeviceClock = SystemClock(),
        transport: (any HTTPTransport)? = nil, events: AuthEventSink = .none
    ) throws -> AuthClient {
        let way = if let transport { transport } else { CurlTransport() as any HTTPTransport }
        let adapter = GoTrueAdapter(try GoTrueConfiguration(url: base, key: nil), transport: way, clock: clock)
        return AuthClient(
            adapter: adapter, store: store, effects: ClientEffects(clock: clock, randomness: SystemRandomness(), events: events))
    }

    /// Advances the backend's clock beyond the lifetime of a token.
    func outliveTokens() { server.panel.advance(by: Self.longerThanALife) }

    /// Longer than the lifetime of any token of this backend.
    static let longerThanALife = Duration.seconds(4000)

    /// The number of its user's sessions on the backend.
    func countSessions() async throws -> Int {
        try await BlockingThread.run { [server, email] in
            let admin = server.emulator.admin
            return try admin.account(email: email).map { try admin.countSessions(of: $0.id) } ?? 0
        }
    }
}
