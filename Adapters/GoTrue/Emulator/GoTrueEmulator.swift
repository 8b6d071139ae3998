@_exported public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An emulator of Supabase Auth (GoTrue 2.196.0) on this machine.
///
/// The emulator responds at the root, as GoTrue itself does, and below `/auth/v1`, as the gateway of the platform does.
///
/// ```swift
/// let server = try GoTrueEmulator.start(GoTrueSettings())
/// defer { server.stop() }
/// print(server.base, server.emulator.publishableKey)
/// ```
public final class GoTrueEmulator: Emulator {
    /// The name of the provider in the ready line.
    public static let provider = "gotrue"

    /// The routes of the emulator.
    public let router: Router
    /// The settings with which the emulator started.
    public let settings: GoTrueSettings
    /// The administrator that reads and changes the stored state of the server.
    public let admin: GoTrueAdministrator

    /// The administrator that the control routes use to change users and sessions.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator that the control routes use to change settings.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }

    let state: ServerState

    /// Creates an emulator for a server that is about to start.
    ///
    /// - Parameters:
    ///   - environment: The clock, randomness, storage and other dependencies.
    ///   - mirror: The PostgreSQL database that stores the users. Default: the emulator stores the users itself.
    /// - Throws: ``GoTrueSettingsError`` if a key cannot be used; an error of SQLite if the folder cannot be written;
    ///   `RowMirrorError` if the PostgreSQL database cannot be read.
    public init(_ settings: GoTrueSettings, in environment: EmulationEnvironment, mirror: (any RowMirror)? = nil) throws {
        self.settings = settings
        let state = try ServerState(settings: settings, environment: environment, mirror: mirror)
        self.state = state
        router = RouteTable.router(on: state)
        admin = GoTrueAdministrator(state: state)
    }

    /// Starts a server with an emulator.
    ///
    /// - Parameters:
    ///   - settings: The settings of the server. Default: GoTrue's defaults.
    ///   - options: The address of the server, and its dependencies.
    ///   - mirror: The PostgreSQL database that stores the users. Default: the emulator stores the users itself.
    /// - Returns: The running server.
    /// - Throws: The errors of ``init(_:in:mirror:)``; `PortInUse` if the port is not available.
    public static func start(
        _ settings: GoTrueSettings = GoTrueSettings(), options: EmulatorOptions = EmulatorOptions(),
        mirror: (any RowMirror)? = nil
    ) throws -> EmulatorServer<GoTrueEmulator> {
        try EmulatorServer(options) { try GoTrueEmulator(settings, in: $0, mirror: mirror) }
    }

    /// The maximum size of a request: one mebibyte.
    public var bodyLimit: Int { 1_048_576 }

    /// The maximum size of a request line and the headers.
    public var headerLimit: Int { state.settings.limits.headerBytes }

    /// The public key for apps: a token with the role `anon`.
    public var anonKey: String { state.apiKeys[.anonymous] ?? "" }

    /// The secret key for servers: a token with the role `service_role`.
    public var serviceRoleKey: Secret { Secret(state.apiKeys[.service] ?? "") }

    /// The newer public key for apps, which replaces ``anonKey``: `sb_publishable_…`.
    public var publishableKey: String { state.projectKeys.publishable }

    /// The newer secret key for servers, which replaces ``serviceRoleKey``: `sb_secret_…`.
    public var secretKey: Secret { state.projectKeys.secret }

    /// The values that a client needs to connect, by name.
    public var variables: JSONObject {
        var variables: JSONObject = [
            "anon": .string(anonKey), "service_role": .string(serviceRoleKey.reveal()),
            "publishable": .string(publishableKey), "secret": .string(secretKey.reveal()),
            "jwt_secret": .string(settings.tokens.secret.reveal()), "hashing": .string(settings.passwords.cost.rawValue),
        ]
        if let issuer = settings.providers["keycloak"]?.issuer { variables["issuer"] = .string(issuer) }
        if let database = state.databaseSummary { variables["database"] = .string(database) }
        if let key = state.keys.published["keys"]?.array?.first {
            variables["es256_kid"] = key["kid"]
            variables["es256_x"] = key["x"]
            variables["es256_y"] = key["y"]
        }
        return variables
    }

    /// The names of ``environment``.
    public static let environmentNames = [
        "SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_SECRET_KEY", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY",
        "SUPABASE_JWT_SECRET", "NEXT_PUBLIC_SUPABASE_URL", "NEXT_PUBLIC_SUPABASE_ANON_KEY",
    ]

    /// The environment variables for Supabase's SDKs and tools.
    public var environment: JSONObject {
        let base = JSON.string(state.environment.base), anon = JSON.string(anonKey)
        return [
            "SUPABASE_URL": base, "SUPABASE_PUBLISHABLE_KEY": .string(publishableKey),
            "SUPABASE_SECRET_KEY": .string(secretKey.reveal()), "SUPABASE_ANON_KEY": anon,
            "SUPABASE_SERVICE_ROLE_KEY": .string(serviceRoleKey.reveal()),
            "SUPABASE_JWT_SECRET": .string(settings.tokens.secret.reveal()), "NEXT_PUBLIC_SUPABASE_URL": base,
            "NEXT_PUBLIC_SUPABASE_ANON_KEY": anon,
        ]
    }

    /// The URL of the identity provider in the settings, if there is one.
    public var bases: JSONObject {
        settings.providers["keycloak"]?.issuer.map { ["issuer": .string($0)] } ?? [:]
    }

    /// Deletes all users and sessions, resets the rate limits, and restores the initial settings.
    ///
    /// - Throws: An error of the emulator's database.
    public func reset() throws { try state.reset() }

    /// Removes rows that expired more than a day ago.
    ///
    /// - Parameter end: A day before the current time. The call removes rows that expired before this time.
    /// - Throws: An error of the emulator's database.
    public func removeExpired(before end: Instant) throws { try state.removeExpired(before: end) }
}
