public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// A local server that has the API of one provider.
public protocol Emulator: Sendable {
    /// The name of the provider in lower case, such as `gotrue`.
    ///
    /// The command line and the ready line use it.
    static var provider: String { get }

    /// The routes.
    ///
    /// The server reads this property once, when it starts.
    var router: Router { get }

    /// The maximum size of a request body in bytes.
    ///
    /// The server rejects a longer body with `ServerRefusal.bodyTooLarge`.
    var bodyLimit: Int { get }

    /// The maximum size in bytes of the request line and the headers together.
    ///
    /// The server rejects a request with more.
    var headerLimit: Int { get }

    /// The values that clients need besides the URL, such as keys and project names.
    ///
    /// They are `vars` in the ready line.
    var variables: JSONObject { get }

    /// The names that ``environment`` may have.
    ///
    /// A command that reads a ready line from a file sets no other variables.
    static var environmentNames: [String] { get }

    /// The environment variables with which the provider's own SDK connects to this emulator.
    ///
    /// They are `environment` in the ready line.
    var environment: JSONObject { get }

    /// The URLs of other servers that this emulator works with, by name.
    ///
    /// They are `bases` in the ready line.
    var bases: JSONObject { get }

    /// The calls of the control routes for users; `nil` if the emulator does not have these routes.
    var accounts: (any AccountAdministrator)? { get }

    /// The calls of the control routes for settings; `nil` if the emulator does not have these routes.
    var settingsAdministrator: (any SettingsAdministrator)? { get }

    /// The calls of the control routes for seeds; `nil` if the emulator does not have these routes.
    var seedAdministrator: (any SeedAdministrator)? { get }

    /// Deletes all users, sessions and codes, and restores changed settings.
    ///
    /// The server itself resets the clock, the outbox, the faults and the recorded requests.
    ///
    /// - Throws: The error of the database.
    func reset() throws

    /// Deletes rows that expired before a time and that no response needs.
    ///
    /// The server calls it from time to time on its thread.
    ///
    /// - Parameter end: The time: ``Sweeper/grace`` before now.
    /// - Throws: The error of the database.
    func removeExpired(before end: Instant) throws
}

extension Emulator {
    /// Default: one mebibyte.
    public var bodyLimit: Int { 1 << 20 }

    /// Default: 32 KiB.
    public var headerLimit: Int { 32 << 10 }

    /// Default: none.
    public var variables: JSONObject { [:] }

    /// Default: none.
    public static var environmentNames: [String] { [] }

    /// Default: none.
    public var environment: JSONObject { [:] }

    /// Default: none.
    public var bases: JSONObject { [:] }

    /// Default: none.
    public var accounts: (any AccountAdministrator)? { nil }

    /// Default: none.
    public var settingsAdministrator: (any SettingsAdministrator)? { nil }

    /// Default: none.
    public var seedAdministrator: (any SeedAdministrator)? { nil }

    /// Deletes nothing.
    ///
    /// This default implementation is for emulators whose rows never expire.
    ///
    /// - Parameter end: The time before which rows have expired.
    /// - Throws: Nothing.
    public func removeExpired(before end: Instant) throws {}
}

/// The settings of an emulator's server, such as its address, clock and storage.
///
/// ```swift
/// var options = EmulatorOptions()
/// options.port = 9999
/// options.clock = ManualClock(base: FixedClock())
/// let server = try GoTrueEmulator.start(options: options)
/// defer { server.stop() }
/// print(server.base)
/// ```
public struct EmulatorOptions: Sendable {
    /// The IPv4 address on which the server listens.
    ///
    /// If the address is not the loopback address, other machines can connect.
    public var host = "127.0.0.1"
    /// Additional host names for the server, without a port, such as `auth.example.test`.
    ///
    /// Loopback names and ``host`` are always allowed. The server rejects requests with any other host name (421). Otherwise a web
    /// page could reach the server through its own host name.
    public var allowedHosts: [String] = []
    /// The port; 0 for any free port.
    public var port: UInt16 = 0
    /// The clock of the backend; `nil` to create a clock that follows the clock of the machine.
    public var clock: ManualClock?
    /// The source of random ids, codes and tokens.
    public var randomness: any Randomness = SystemRandomness()
    /// Whether the keys are computed from the provider's name and the port.
    ///
    /// If `true`, a server that starts again on the same port has the same keys. Use this setting for loopback only, because anyone
    /// can compute these keys.
    public var hasLastingKeys = false
    /// Whether the server is ready as soon as it listens.
    ///
    /// If `false`, call ``ControlPanel/markReady()`` when the server is ready.
    public var isReadyAtStart = true
    /// Whether only the owner of a secret can read messages and use the routes of tests, because the users are real people.
    ///
    /// Without it, these routes are open to each program on this machine, and `owner` is an administrator of Firebase's emulator.
    package var isClosed = false
    /// The storage for the state.
    public var storage = Storage.memory
    /// The threads for hashing passwords and making keys.
    ///
    /// Several emulators may share the threads.
    public var workers = Workers()
    /// The clock that measures how long a connection stays open.
    ///
    /// The connections use the clock of the machine, never the clock of the backend.
    public var connectionClock: any DeviceClock = SystemClock()
    /// The time after which the server closes a connection without a request.
    public var idleTimeout: Duration = .seconds(75)
    /// The time limit for receiving a complete request.
    public var requestTimeout: Duration = .seconds(20)

    /// Creates settings for loopback, any free port, and state in memory.
    public init() {}
}

/// A running server of any provider.
public protocol RunningEmulator: AnyObject, Sendable {
    /// The URL of the server: `http://127.0.0.1:PORT`.
    var base: String { get }
    /// The controls of the emulator.
    var panel: ControlPanel { get }
    /// The control routes, called without a connection.
    var controlCalls: ControlCalls { get }
    /// The ready line for the process that started the server.
    var ready: ReadyLine { get }
    /// Closes all connections, and waits until the thread of the server has ended.
    func stop()
}
