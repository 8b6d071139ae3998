@_exported public import LockstepEmulation
public import LockstepPrimitives

/// A local server with the API of Firebase Authentication: Identity Toolkit v1, v2 and v3, Secure Token, and the routes of
/// Firebase's own emulator.
///
///     let server = try FirebaseEmulator.start(FirebaseSettings(mode: .strict))
///     defer { server.stop() }
///     print(server.base, server.emulator.settings.apiKey)
///
/// ``FirebaseEmulator/admin`` provides an administrator's actions.
public final class FirebaseEmulator: Emulator {
    /// The name of the provider, in lower case.
    public static let provider = "firebase"

    /// The routes.
    public let router: Router

    let state: ServerState

    /// Opens the state and, in strict mode, starts creating the signing key.
    ///
    /// - Throws: An error with a sentence if the state cannot be opened or the settings are invalid.
    public init(_ settings: FirebaseSettings, in environment: EmulationEnvironment) throws {
        state = try ServerState(settings, in: environment)
        router = RouteTable.router(state)
        state.prepare()
    }

    /// Starts a server with an emulator.
    ///
    /// - Throws: An error with a sentence if the port is not available.
    public static func start(
        _ settings: FirebaseSettings = .init(), _ options: EmulatorOptions = .init()
    ) throws -> EmulatorServer<FirebaseEmulator> {
        try EmulatorServer(options) { environment in try FirebaseEmulator(settings, in: environment) }
    }

    /// The settings as they are now.
    public var settings: FirebaseSettings { state.settings }

    /// The maximum size of a request: eight megabytes, for imports of a thousand users.
    public var bodyLimit: Int { 8 << 20 }

    /// The project, the API key and the mode.
    public var variables: JSONObject {
        let settings = settings
        return [
            "project": .string(settings.project), "api_key": .string(settings.apiKey), "mode": .string(settings.mode.rawValue),
            "hashing": .string(settings.hashing.cost?.rawValue ?? "memoryCost \(settings.hashing.memoryCost)"),
        ]
    }

    /// The variables that `firebase emulators:exec` sets, and the JavaScript SDK's defaults.
    public var environment: JSONObject { EmulatorHub(state).variables }

    /// Deletes users, codes, sessions, tenants and changed settings.
    public func reset() throws {
        try state.reset()
    }

    /// Removes codes and unfinished sign-ins that expired a day ago.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}

extension FirebaseEmulator {
    /// An administrator's actions.
    public var admin: FirebaseAdministrator { FirebaseAdministrator(state: state) }

    /// The administrator of users and sessions for the control routes.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator of settings for the control routes.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }
}
