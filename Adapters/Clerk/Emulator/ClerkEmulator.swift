@_exported public import LockstepEmulation
public import LockstepPrimitives
@_exported public import LockstepTokens

/// An emulator of Clerk: its Frontend API and its Backend API on one port, for one development instance.
///
///     let server = try EmulatorServer { environment in try ClerkEmulator(ClerkSettings(), in: environment) }
///     defer { server.stop() }
///
/// The vendor's SDKs work with it unchanged: set ``publishableKey``, and the server's address as the proxy URL.
public final class ClerkEmulator: Emulator {
    /// The provider's name.
    public static let provider = "clerk"

    let state: ServerState

    /// Creates an instance with these settings.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - environment: The environment.
    ///   - signingKey: The RSA key for session tokens. Without one, a key is created when the first token is signed, which takes
    ///     up to 300 ms. It is stored with the data if there is a folder. Tests that start many emulators share a key.
    /// - Throws: ``ClerkSettingsError`` for settings that contradict each other, and the errors of opening the database.
    public init(_ settings: ClerkSettings, in environment: EmulationEnvironment, signingKey: SigningKey? = nil) throws {
        try settings.check()
        state = try ServerState(settings, in: environment, signingKey: signingKey)
    }

    /// Starts a server with an instance.
    ///
    /// - Throws: the errors of creating the instance; An error with a sentence if the port is not available.
    public static func start(
        _ settings: ClerkSettings = .init(), _ options: EmulatorOptions = .init(), signingKey: SigningKey? = nil
    ) throws -> EmulatorServer<ClerkEmulator> {
        try EmulatorServer(options) { environment in try ClerkEmulator(settings, in: environment, signingKey: signingKey) }
    }

    /// The administrator of the instance.
    public var admin: ClerkAdministrator { ClerkAdministrator(state: state) }

    /// The administrator of users and sessions for the control routes.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator of settings for the control routes.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }

    /// The secret key of the Backend API, `sk_test_…`.
    public var secretKey: Secret { state.secretKey }

    /// The secret that signs webhook events, `whsec_…`: that of the settings, or a generated one.
    public var webhookSecret: Secret { settings.webhookSecret ?? state.webhookSecret }

    /// The publishable key, `pk_test_…`, which contains this server's host and port.
    public var publishableKey: String { state.publishableKey }

    /// The instance's settings.
    ///
    /// A change takes effect from the next request on, until ``reset()``.
    public var settings: ClerkSettings {
        get { state.settings }
        set { state.change { $0 = newValue } }
    }

    /// Starts creating the signing key, so that the first token does not wait for it.
    public func prepare() {
        state.signingKey.prepare()
    }

    /// The variables of the ready line: `fapi`, `bapi`, `secret_key`, `publishable_key`, `webhook_secret`.
    public var variables: JSONObject {
        [
            "fapi": .string(state.base), "bapi": .string(state.base), "secret_key": .string(secretKey.reveal()),
            "publishable_key": .string(publishableKey), "webhook_secret": .string(webhookSecret.reveal()),
            "hashing": settings.usesCheapHashes ? "least" : "real",
        ]
    }

    /// The variables of Clerk's SDKs for JavaScript.
    ///
    /// `…_PROXY_URL` makes clerk-js use plain HTTP. Without it, clerk-js uses `https://` and the host of the publishable key.
    public var environment: JSONObject {
        let key = JSON.string(publishableKey), base = JSON.string(state.base)
        return [
            "CLERK_PUBLISHABLE_KEY": key, "CLERK_SECRET_KEY": .string(secretKey.reveal()), "CLERK_API_URL": base,
            "CLERK_PROXY_URL": base, "CLERK_WEBHOOK_SIGNING_SECRET": .string(webhookSecret.reveal()),
            "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY": key, "NEXT_PUBLIC_CLERK_PROXY_URL": base,
        ]
    }

    /// Deletes all users, clients, tickets and changed settings.
    ///
    /// The keys stay.
    public func reset() throws {
        try state.reset()
    }

    /// Removes attempts, links and nonces that expired a day ago, and sessions that ended a month ago.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}
