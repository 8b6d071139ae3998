@_exported public import LockstepEmulation
public import LockstepPrimitives
@_exported public import LockstepTokens

/// An emulator of Clerk: its Frontend API and its Backend API on one port, for one development instance.
///
///     let server = try EmulatorServer { environment in try ClerkEmulator(ClerkSettings(), in: environment) }
///     defer { server.stop() }
///
/// The vendors' SDKs work against it unchanged, given ``publishableKey`` and the server's address as proxy URL.
public final class ClerkEmulator: Emulator {
    /// The provider's name.
    public static let provider = "clerk"

    let state: ServerState

    /// An instance with these settings.
    ///
    /// - Parameter signingKey: an RSA key for the session tokens. Without one a key is made when the first token is signed, which
    ///   takes up to 300 ms, and kept with the data where there is a folder for them; tests that start many emulators share one.
    /// - Throws: ``ClerkSettingsError`` for settings that contradict each other, and the errors of opening the database.
    public init(_ settings: ClerkSettings, in environment: EmulationEnvironment, signingKey: SigningKey? = nil) throws {
        try settings.check()
        state = try ServerState(settings, in: environment, signingKey: signingKey)
    }

    /// Starts an instance on a server of its own.
    ///
    /// - Throws: the errors of creating the instance; an error with a sentence when the port is not available.
    public static func start(
        _ settings: ClerkSettings = .init(), _ options: EmulatorOptions = .init(), signingKey: SigningKey? = nil
    ) throws -> EmulatorServer<ClerkEmulator> {
        try EmulatorServer(options) { environment in try ClerkEmulator(settings, in: environment, signingKey: signingKey) }
    }

    /// Controls the instance as an administrator.
    public var admin: ClerkAdministrator { ClerkAdministrator(state: state) }

    /// Users and sessions for the control routes.
    public var accounts: (any AccountAdministrator)? { admin }

    /// Settings for the control routes.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// Replaces the state by a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }

    /// The secret key of the Backend API, `sk_test_…`.
    public var secretKey: Secret { state.secretKey }

    /// The secret that signs webhook events, `whsec_…`, unless the settings have one.
    public var webhookSecret: Secret { settings.webhookSecret ?? state.webhookSecret }

    /// The publishable key, `pk_test_…`, which names this server's host and port.
    public var publishableKey: String { state.publishableKey }

    /// The instance's settings; a change applies from the next request on, until ``reset()``.
    public var settings: ClerkSettings {
        get { state.settings }
        set { state.change { $0 = newValue } }
    }

    /// Starts creating the signing key, so that the first token need not wait for it.
    public func prepare() {
        state.signingKey.prepare()
    }

    /// The names of the starters: `fapi`, `bapi`, `secret_key`, `publishable_key`, `webhook_secret`.
    public var variables: JSONObject {
        [
            "fapi": .string(state.base), "bapi": .string(state.base), "secret_key": .string(secretKey.reveal()),
            "publishable_key": .string(publishableKey), "webhook_secret": .string(webhookSecret.reveal()),
            "hashing": settings.usesCheapHashes ? "least" : "real",
        ]
    }

    /// The variables of Clerk's SDKs for JavaScript.
    ///
    /// `…_PROXY_URL` makes clerk-js use plain HTTP: without it the address is `https://` and the host of the publishable key.
    public var environment: JSONObject {
        let key = JSON.string(publishableKey), base = JSON.string(state.base)
        return [
            "CLERK_PUBLISHABLE_KEY": key, "CLERK_SECRET_KEY": .string(secretKey.reveal()), "CLERK_API_URL": base,
            "CLERK_PROXY_URL": base, "CLERK_WEBHOOK_SIGNING_SECRET": .string(webhookSecret.reveal()),
            "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY": key, "NEXT_PUBLIC_CLERK_PROXY_URL": base,
        ]
    }

    /// Forgets all users, clients and tickets, and changed settings; the keys stay.
    public func reset() throws {
        try state.reset()
    }

    /// Removes attempts, links and nonces that ended a day ago, and sessions that ended a month ago.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}
