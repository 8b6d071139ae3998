import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport
import Testing

@testable import LockstepGoTrue

/// A project on its own emulator, and apps that use it over a real socket.
///
/// All share a manual clock.
final class Project: Sendable {
    static let callback = "app://auth/callback"
    static let email = "ada@example.com"
    static let password: Secret = "Correct-Horse-1"
    private static let transport = CurlTransport()

    let clock = ManualClock(base: FixedClock())
    let server: EmulatorServer<GoTrueEmulator>
    let adapter: GoTrueAdapter

    init(_ change: (inout GoTrueSettings) -> Void = { _ in }) throws {
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.allowedRedirects = [Self.callback]
        settings.mail.interval = .milliseconds(1)
        settings.signIn.allowsAnonymous = true
        settings.signIn.allowsPhone = true
        change(&settings)
        var options = EmulatorOptions()
        options.clock = clock
        server = try GoTrueEmulator.start(settings, options: options)
        var configuration = try GoTrueConfiguration(url: server.base, key: nil, callback: Self.callback)
        // Real time, which ends only hanging requests.
        configuration.deadline = .seconds(600)
        adapter = GoTrueAdapter(configuration, transport: Self.transport, clock: clock, randomness: SystemRandomness())
    }

    deinit { server.stop() }

    var admin: GoTrueAdministrator { server.emulator.admin }

    /// Advances the clock of the backend and of the devices.
    func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    /// An app on its own device.
    func client(store: (any SessionStore)? = nil) -> AuthClient {
        AuthClient(
            adapter: adapter, store: store ?? MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    /// Creates the user of most tests.
    @discardableResult
    func ada() throws -> String {
        try admin.createUser(email: Self.email, password: Self.password).id
    }

    /// A session of that user, which no client stores.
    func session() async throws -> Session {
        let step = try await PasswordSignIn(api: adapter.api).begin(
            PasswordCredential(email: Self.email, password: Self.password), for: .signIn, in: GoTrue.memory())
        return try #require(step.session)
    }
}
