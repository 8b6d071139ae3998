public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// A local server with one provider's API.
public protocol Emulator: Sendable {
    /// The provider's name in lower case, as the command line and the ready line have it: `gotrue`.
    static var provider: String { get }

    /// The routes. Asked for once, when the server starts.
    var router: Router { get }

    /// Longest body in bytes; longer ones are rejected with `ServerRefusal.bodyTooLarge`.
    var bodyLimit: Int { get }

    /// Most bytes of a request line with its headers; longer ones are rejected.
    var headerLimit: Int { get }

    /// What clients need to know beside the address: keys, project names. Part of the ready line as `vars`.
    var variables: JSONObject { get }

    /// The variables of the environment that lead a vendor's SDK here. Part of the ready line as `environment`.
    var environment: JSONObject { get }

    /// Other servers that it works with, by name. Part of the ready line as `bases`.
    var bases: JSONObject { get }

    /// Creates, finds and changes users for the control routes; `nil` if the emulator has no such routes.
    var accounts: (any AccountAdministrator)? { get }

    /// Shows and changes the settings for the control routes; `nil` if the emulator has no such routes.
    var settingsAdministrator: (any SettingsAdministrator)? { get }

    /// Replaces the state by a seed; `nil` if the emulator has no such routes.
    var seedAdministrator: (any SeedAdministrator)? { get }

    /// Forgets all users, sessions, codes and changed settings. The shared parts (clock, outbox, faults, transcript) are reset by
    /// the server.
    func reset() throws

    /// Removes rows that no response depends on any longer, because what they stand for ended before `end`.
    ///
    /// Called now and then, on the server's thread; `end` is ``Sweeper/grace`` before now.
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
    public var environment: JSONObject { [:] }

    /// Default: none.
    public var bases: JSONObject { [:] }

    /// Default: none.
    public var accounts: (any AccountAdministrator)? { nil }

    /// Default: none.
    public var settingsAdministrator: (any SettingsAdministrator)? { nil }

    /// Default: none.
    public var seedAdministrator: (any SeedAdministrator)? { nil }

    /// Default: nothing expires.
    public func removeExpired(before end: Instant) throws {}
}

/// The address of an emulator, and its dependencies.
public struct EmulatorOptions: Sendable {
    /// The IPv4 address.
    ///
    /// With any other address, other machines can connect.
    public var host = "127.0.0.1"
    /// Additional host names, besides loopback and ``host``, without a port, such as `auth.example.test`.
    ///
    /// A request for any other name is rejected with 421, so that a web page cannot reach the server under the page's own name.
    public var allowedHosts: [String] = []
    /// The port; 0 uses a free one.
    public var port: UInt16 = 0
    /// The backend's clock; `nil` creates one that follows the machine's clock.
    public var clock: ManualClock?
    /// The source of ids, codes and tokens.
    public var randomness: any Randomness = SystemRandomness()
    /// Whether keys are derived from the provider and the port, so that a restart on the same port creates the same keys.
    ///
    /// Only for loopback: anyone can compute such keys.
    public var hasLastingKeys = false
    /// Whether the server is ready as soon as it listens.
    ///
    /// Otherwise call ``ControlPanel/markReady()``.
    public var isReadyAtStart = true
    /// The storage of the state.
    public var storage = Storage.memory
    /// The threads for hashes and keys, which several emulators may share.
    public var workers = Workers()
    /// The clock for connection timeouts: the machine's clock, never the backend's.
    public var connectionClock: any DeviceClock = SystemClock()
    /// The maximum time that a connection stays open without a request.
    public var idleTimeout: Duration = .seconds(75)
    /// The maximum time in which a request must arrive.
    public var requestTimeout: Duration = .seconds(20)

    /// Creates options for loopback, a free port, and state in memory.
    public init() {}
}

/// A running server of any provider.
public protocol RunningEmulator: AnyObject, Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    var base: String { get }
    /// The emulator's controls.
    var panel: ControlPanel { get }
    /// Calls to the control routes without a connection.
    var controlCalls: ControlCalls { get }
    /// The ready line, for the process that started the server.
    var ready: ReadyLine { get }
    /// Closes all connections, and waits until the server's thread has ended.
    func stop()
}
