@_exported public import LockstepEmulation
public import LockstepPrimitives

/// An emulator of Firebase Authentication on this machine.
///
/// The emulator implements the APIs Identity Toolkit (v1, v2 and v3) and Secure Token, and the routes of Firebase's own
/// emulator. Use ``admin`` to administer the project without HTTP.
///
/// ```swift
/// let server = try FirebaseEmulator.start(FirebaseSettings(mode: .strict))
/// defer { server.stop() }
/// print(server.base, server.emulator.settings.apiKey)
/// ```
public final class FirebaseEmulator: Emulator {
    /// The name of the provider, in lower case.
    public static let provider = "firebase"

    /// The routes of the emulator.
    public let router: Router

    let state: ServerState

    /// Creates an emulator.
    ///
    /// In strict mode, the emulator then starts to create the signing key.
    ///
    /// - Parameters:
    ///   - settings: The settings of the project.
    ///   - environment: The clock, randomness, storage and other dependencies.
    /// - Throws: An error if the database cannot be opened, or if the settings are invalid.
    public init(_ settings: FirebaseSettings, in environment: EmulationEnvironment) throws {
        state = try ServerState(settings, in: environment)
        router = RouteTable.router(state)
        state.prepare()
    }

    /// Starts a server with an emulator.
    ///
    /// - Parameters:
    ///   - settings: The settings of the project. Default: the settings of Firebase's emulator.
    ///   - options: The address of the server, and its dependencies.
    /// - Returns: The running server.
    /// - Throws: An error of ``init(_:in:)``, or an error if the port is not available.
    public static func start(
        _ settings: FirebaseSettings = .init(), _ options: EmulatorOptions = .init()
    ) throws -> EmulatorServer<FirebaseEmulator> {
        try EmulatorServer(options) { environment in try FirebaseEmulator(settings, in: environment) }
    }

    /// The current settings.
    public var settings: FirebaseSettings { state.settings }

    /// The maximum size of a request: eight megabytes, so that a request can import a thousand users.
    public var bodyLimit: Int { 8 << 20 }

    /// The values that a client needs: the project, the API key and the mode.
    public var variables: JSONObject {
        let settings = settings
        var variables: JSONObject = [
            "project": .string(settings.project), "api_key": .string(settings.apiKey), "mode": .string(settings.mode.rawValue),
            "hashing": .string(settings.hashing.cost?.rawValue ?? "memoryCost \(settings.hashing.memoryCost)"),
        ]
        variables["owner"] = state.environment.ownerToken.map { .string($0.reveal()) }
        return variables
    }

    /// The names of ``environment``.
    public static let environmentNames = [
        "FIREBASE_AUTH_EMULATOR_HOST", "FIREBASE_EMULATOR_HUB", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT", "__FIREBASE_DEFAULTS__",
    ]

    /// The environment variables that `firebase emulators:exec` sets, and the variables that the JavaScript SDK reads.
    public var environment: JSONObject { EmulatorHub(state).variables }

    /// Deletes users, codes, sessions, tenants and changed settings.
    ///
    /// - Throws: An error of the emulator's database.
    public func reset() throws {
        try state.reset()
    }

    /// Removes codes and unfinished sign-ins that expired more than a day ago.
    ///
    /// - Parameter end: A day before the current time. The call removes rows that expired before this time.
    /// - Throws: An error of the emulator's database.
    public func removeExpired(before end: Instant) throws {
        try state.removeExpired(before: end)
    }
}

extension FirebaseEmulator {
    /// The administrator that reads and changes the stored state of the project.
    public var admin: FirebaseAdministrator { FirebaseAdministrator(state: state) }

    /// The administrator that the control routes use to change users and sessions.
    public var accounts: (any AccountAdministrator)? { admin }

    /// The administrator that the control routes use to change settings.
    public var settingsAdministrator: (any SettingsAdministrator)? { admin }

    /// The administrator that replaces the state with a seed.
    public var seedAdministrator: (any SeedAdministrator)? { admin }
}
