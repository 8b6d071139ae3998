@_exported public import LockstepEmulation
@_exported public import LockstepPrimitives

/// An emulator of Supabase Auth (GoTrue 2.196.0) on this machine.
///
/// Start one with ``start(_:options:)``. It responds at the root, like GoTrue itself, and below `/auth/v1`, like the platform's
/// gateway.
public final class GoTrueEmulator: Emulator {
    /// The name in the ready line.
    public static let provider = "gotrue"

    /// The routes.
    public let router: Router
    /// The initial settings.
    public let settings: GoTrueSettings
    /// The administrator's API without HTTP.
    public let admin: GoTrueAdministrator

    /// The administrator of users and sessions for the control routes.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator of settings for the control routes.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }

    let state: ServerState

    /// Creates an emulator for a server that is about to start.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - environment: The clock, randomness, storage and other dependencies.
    ///   - mirror: The database of the users; `nil` if the emulator stores them itself.
    /// - Throws: ``GoTrueSettingsError`` for keys that cannot be used, SQLite's error for a folder that cannot be written,
    ///   `RowMirrorError` for a database that cannot be read.
    public init(_ settings: GoTrueSettings, in environment: EmulationEnvironment, mirror: (any RowMirror)? = nil) throws {
        self.settings = settings
        let state = try ServerState(settings: settings, environment: environment, mirror: mirror)
        self.state = state
        router = RouteTable.router(on: state)
        admin = GoTrueAdministrator(state: state)
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - options: The server's address and its dependencies.
    ///   - mirror: The database of the users; `nil` if the emulator stores them itself.
    /// - Returns: The running server.
    /// - Throws: The errors of ``init(_:in:mirror:)``; `PortInUse`.
    public static func start(
        _ settings: GoTrueSettings = GoTrueSettings(), options: EmulatorOptions = EmulatorOptions(),
        mirror: (any RowMirror)? = nil
    ) throws -> EmulatorServer<GoTrueEmulator> {
        try EmulatorServer(options) { try GoTrueEmulator(settings, in: $0, mirror: mirror) }
    }

    /// The maximum size of a request: one mebibyte.
    public var bodyLimit: Int { 1_048_576 }

    /// The maximum size of a request line with its headers.
    public var headerLimit: Int { state.settings.limits.headerBytes }

    /// The key of apps: a token with the role `anon`.
    public var anonKey: String { state.apiKeys[.anonymous] ?? "" }

    /// The key of servers: a token with the role `service_role`.
    public var serviceRoleKey: Secret { Secret(state.apiKeys[.service] ?? "") }

    /// The publishable key of apps for the gateway, instead of ``anonKey``: `sb_publishable_…`.
    public var publishableKey: String { state.projectKeys.publishable }

    /// The secret key of servers for the gateway, instead of ``serviceRoleKey``: `sb_secret_…`.
    public var secretKey: Secret { state.projectKeys.secret }

    /// The names and values that a test needs to connect.
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

    /// The variables of Supabase's SDKs and tools.
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

    /// The identity provider in its settings, if any.
    public var bases: JSONObject {
        settings.providers["keycloak"]?.issuer.map { ["issuer": .string($0)] } ?? [:]
    }

    /// Deletes all users, sessions and rate limits, and restores the settings that the admin API has changed.
    public func reset() throws { try state.reset() }

    /// Removes rows that expired a day ago.
    public func removeExpired(before end: Instant) throws { try state.removeExpired(before: end) }
}
