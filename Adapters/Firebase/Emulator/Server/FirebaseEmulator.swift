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
        router = RouteTable(state: state).router
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
}

/// The answers to requests that reach no endpoint, and to errors outside of one.
enum Failures {
    static func install(in router: inout Router, _ state: ServerState) {
        router.notFound = { _ in APIError.notFound.response }
        router.methodNotAllowed = methodNotAllowed
        router.failed = { error, request in state.response(to: error, of: request) }
        router.refused = { refusal, _ in APIError.unreadable(refusal.sentence, status: refusal.status).response }
    }

    private static let pages: Set = ["/", "/emulator/action", ProviderChooser.path, RelayFrame.path]

    /// Firebase's emulator answers these without its error envelope.
    @Sendable private static func methodNotAllowed(_ request: EmulatorRequest, _ methods: [String]) -> EmulatorResponse {
        // Its pages, which are no operations, are not found by other methods.
        if pages.contains(request.rawPath) { return APIError.notFound.response }
        let target = request.rawPath + (request.rawQuery.isEmpty ? "" : "?" + request.rawQuery)
        return EmulatorResponse.json(
            ["message": .string("Method \(request.method) not allowed for \(target)")], status: 405,
            contentType: "application/json; charset=utf-8"
        ).with("Allow", methods.joined(separator: ", "))
    }
}
