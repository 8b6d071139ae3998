@_exported public import LockstepEmulation
public import LockstepPrimitives
@_exported public import LockstepTokens

/// An emulator of a Clerk development instance, with the Frontend API and the Backend API on one port.
///
/// Clerk's SDKs work with the emulator. Configure them with ``publishableKey``, and with the server's address as the proxy URL.
///
/// ```swift
/// let server = try ClerkEmulator.start(ClerkSettings())
/// defer { server.stop() }
/// print(server.base, server.emulator.publishableKey)
/// ```
public final class ClerkEmulator: Emulator {
    /// The provider's name.
    public static let provider = "clerk"

    let state: ServerState

    /// Creates an emulator with settings.
    ///
    /// - Parameters:
    ///   - settings: The settings of the instance.
    ///   - environment: The clock, the source of randomness, the storage and other dependencies.
    ///   - signingKey: The RSA key that signs session tokens. If the key is `nil`, the emulator creates a key for the
    ///     first token, which takes up to 300 ms. If the emulator has a folder, it stores the key there. Tests that
    ///     start many emulators can share a key.
    /// - Throws: ``ClerkSettingsError`` if settings contradict each other, or an error of the database if it cannot be opened.
    public init(_ settings: ClerkSettings, in environment: EmulationEnvironment, signingKey: SigningKey? = nil) throws {
        try settings.check()
        state = try ServerState(settings, in: environment, signingKey: signingKey)
    }

    /// Starts a server with an emulator.
    ///
    /// - Parameters:
    ///   - settings: The settings of the instance. Default: a development instance.
    ///   - options: The address of the server, and its dependencies.
    ///   - signingKey: The RSA key that signs session tokens. Default: the emulator creates one.
    /// - Returns: The running server.
    /// - Throws: The errors of ``init(_:in:signingKey:)``; an error if the port is not available.
    public static func start(
        _ settings: ClerkSettings = .init(), _ options: EmulatorOptions = .init(), signingKey: SigningKey? = nil
    ) throws -> EmulatorServer<ClerkEmulator> {
        try EmulatorServer(options) { environment in try ClerkEmulator(settings, in: environment, signingKey: signingKey) }
    }

    /// The administrator that reads and changes the stored state of the instance.
    public var admin: ClerkAdministrator { ClerkAdministrator(state: state) }

    /// The administrator with which the control routes change users and sessions.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator with which the control routes change settings.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }

    /// The secret key of the Backend API, `sk_test_…`.
    public var secretKey: Secret { state.secretKey }

    /// The secret that signs webhook events, `whsec_…`.
    ///
    /// If the settings contain no secret, the emulator generates one.
    public var webhookSecret: Secret { settings.webhookSecret ?? state.webhookSecret }

    /// The publishable key, `pk_test_…`, which contains this server's host and port.
    public var publishableKey: String { state.publishableKey }

    /// The instance's settings.
    ///
    /// A changed setting takes effect with the next request, until ``reset()``.
    public var settings: ClerkSettings {
        get { state.settings }
        set { state.change { $0 = newValue } }
    }

    /// Starts to create the signing key early, so that the first token does not have to wait for the key.
    public func prepare() {
        state.signingKey.prepare()
    }

    /// The values for clients in the ready line: `fapi`, `bapi`, `secret_key`, `publishable_key`, `webhook_secret`.
    public var variables: JSONObject {
        [
            "fapi": .string(state.base), "bapi": .string(state.base), "secret_key": .string(secretKey.reveal()),
            "publishable_key": .string(publishableKey), "webhook_secret": .string(webhookSecret.reveal()),
            "hashing": settings.usesCheapHashes ? "least" : "real",
        ]
    }

    /// The names of ``environment``.
    public static let environmentNames = [
        "CLERK_PUBLISHABLE_KEY", "CLERK_SECRET_KEY", "CLERK_API_URL", "CLERK_PROXY_URL", "CLERK_WEBHOOK_SIGNING_SECRET",
        "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY", "NEXT_PUBLIC_CLERK_PROXY_URL",
    ]

    /// The environment variables for Clerk's SDKs for JavaScript.
    ///
    /// The variable `…_PROXY_URL` makes clerk-js use plain HTTP. Without this variable, clerk-js uses `https://` and
    /// the host in the publishable key.
    public var environment: JSONObject {
        let key = JSON.string(publishableKey), base = JSON.string(state.base)
        return [
            "CLERK_PUBLISHABLE_KEY": key, "CLERK_SECRET_KEY": .string(secretKey.reveal()), "CLERK_API_URL": base,
            "CLERK_PROXY_URL": base, "CLERK_WEBHOOK_SIGNING_SECRET": .string(webhookSecret.reveal()),
            "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY": key, "NEXT_PUBLIC_CLERK_PROXY_URL": base,
        ]
    }

    /// Deletes all users, clients and tickets, and restores the initial settings; the keys stay.
    ///
    /// - Throws: An error of the emulator's database.
    public func reset() throws {
        try state.reset()
    }

    /// Removes attempts, links and nonces that expired a day ago, and sessions that ended a month ago.
    ///
    /// - Parameter end: The time before which a row must have expired to be removed. Pass a day before the current time.
    /// - Throws: An error of the emulator's database.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}
