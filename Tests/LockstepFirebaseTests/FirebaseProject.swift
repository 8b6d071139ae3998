import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport
import Testing

@testable import LockstepFirebase

/// A project on its own emulator with production's rules, and apps that use it over a real socket.
final class FirebaseProject: Sendable {
    static let email = "ada@example.com"
    static let password: Secret = "Correct-Horse-1"
    private static let transport = CurlTransport()
    /// One key for all.
    ///
    /// If the process ended while a key is being generated, libcrypto would crash.
    static let key = try? FirebaseSettings.makeSigningKey()

    let clock = ManualClock(base: FixedClock())
    let server: EmulatorServer<FirebaseEmulator>
    let adapter: FirebaseAdapter

    init(callback: String? = nil, actionLinks: String? = nil, tenant: String? = nil, hasPasskeys: Bool = false) throws {
        var settings = FirebaseSettings(mode: .strict)
        if hasPasskeys { settings.methods.insert(.passkey) }
        settings.authorizedDomains = ["app.example.com"]
        settings.hashing.memoryCost = 4
        settings.signingKey = Self.key
        var options = EmulatorOptions()
        options.clock = clock
        server = try FirebaseEmulator.start(settings, options)
        if let tenant { try server.emulator.admin.createTenant(id: tenant) }
        var configuration = try FirebaseConfiguration(
            url: server.base, key: "fake-api-key", callback: callback, actionLinks: actionLinks, tenant: tenant)
        configuration.hasPasskeys = hasPasskeys
        // Real time, which ends only hanging requests.
        configuration.deadline = .seconds(600)
        adapter = FirebaseAdapter(configuration, transport: Self.transport, clock: clock)
    }

    deinit { server.stop() }

    /// An app on its own device.
    func client() -> AuthClient {
        AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    var credential: PasswordCredential { .password(email: Self.email, password: Self.password) }

    /// The link of the newest message.
    func link() throws -> String {
        try #require(server.panel.outbox.mails(to: Self.email).first?.link)
    }

    /// Taps the button of the page behind a link, with typed text.
    func tap(_ link: String, _ typed: [(name: String, value: String)] = []) async throws {
        let parts = link.split(separator: "?", maxSplits: 1)
        let pairs = try #require(Percent.decodeForm(parts[1]))
        let response = try await Self.transport.send(
            HTTPRequest(.post, String(parts[0]), body: .form(HTTPForm(pairs + typed))))
        #expect(response.status == 200)
    }
}
