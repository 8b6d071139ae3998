@_exported public import LockstepEmulation
public import LockstepPrimitives

/// A local server that speaks the wire of Firebase Authentication: Identity Toolkit v1, v2 and v3, Secure Token, and the routes of
/// Firebase's own emulator.
///
///     let server = try FirebaseEmulator.start(FirebaseSettings(mode: .strict))
///     defer { server.stop() }
///     print(server.base, server.emulator.settings.apiKey)
///
/// ``FirebaseEmulator/admin`` has an administrator's actions.
public final class FirebaseEmulator: Emulator {
    /// The name of the provider, in lower case.
    public static let provider = "firebase"

    /// The routes.
    public let router: Router

    let state: ServerState

    /// Opens the state and, in strict mode, starts creating the signing key.
    ///
    /// - Throws: an error with a sentence where the state cannot be opened or the settings cannot be used.
    public init(_ settings: FirebaseSettings, in environment: EmulationEnvironment) throws {
        state = try ServerState(settings, in: environment)
        router = RouteTable.router(state)
        state.prepare()
    }

    /// Starts a server of its own.
    ///
    /// - Throws: an error with a sentence when the port is not available.
    public static func start(
        _ settings: FirebaseSettings = .init(), _ options: EmulatorOptions = .init()
    ) throws -> EmulatorServer<FirebaseEmulator> {
        try EmulatorServer(options) { environment in try FirebaseEmulator(settings, in: environment) }
    }

    /// The settings as they are now.
    public var settings: FirebaseSettings { state.settings }

    /// Eight megabytes: imports of a thousand users.
    public var bodyLimit: Int { 8 << 20 }

    /// Project, API key and mode.
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

    /// Removes codes and unfinished sign-ins that ended a day ago.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}

extension FirebaseEmulator {
    /// An administrator's actions.
    public var admin: FirebaseAdministrator { FirebaseAdministrator(state: state) }

    /// Users and sessions for the control routes.
    public var accounts: (any AccountAdministrator)? { admin }

    /// Settings for the control routes.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// Replaces the state by a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }
}
