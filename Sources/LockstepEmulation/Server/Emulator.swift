public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// A local server that speaks one provider's wire.
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
    /// One mebibyte.
    public var bodyLimit: Int { 1 << 20 }

    /// 32 KiB.
    public var headerLimit: Int { 32 << 10 }

    /// Nothing.
    public var variables: JSONObject { [:] }

    /// None.
    public var environment: JSONObject { [:] }

    /// None.
    public var bases: JSONObject { [:] }

    /// None.
    public var accounts: (any AccountAdministrator)? { nil }

    /// None.
    public var settingsAdministrator: (any SettingsAdministrator)? { nil }

    /// None.
    public var seedAdministrator: (any SeedAdministrator)? { nil }

    /// Nothing expires.
    public func removeExpired(before end: Instant) throws {}
}

/// Where an emulator listens, and its dependencies.
public struct EmulatorOptions: Sendable {
    /// The IPv4 address.
    ///
    /// Any other address lets other machines in.
    public var host = "127.0.0.1"
    /// Further names under which it is reached, besides those of loopback and ``host``: without a port, such as
    /// `auth.example.test`.
    ///
    /// A request for any other name is rejected with 421, so that a web page cannot reach it under the page's own name.
    public var allowedHosts: [String] = []
    /// The port; 0 takes a free one.
    public var port: UInt16 = 0
    /// The backend's clock; `nil` makes one that runs with the machine's.
    public var clock: ManualClock?
    /// Where ids, codes and tokens come from.
    public var randomness: any Randomness = SystemRandomness()
    /// Whether provider and port decide the keys, so that each start on a port makes the same ones.
    ///
    /// For loopback only: everybody can compute such keys.
    public var hasLastingKeys = false
    /// Whether the server is ready when it listens; otherwise ``ControlPanel/markReady()`` says so.
    public var isReadyAtStart = true
    /// Where state is kept.
    public var storage = Storage.memory
    /// Threads for hashes and keys; may be shared by several emulators.
    public var workers = Workers()
    /// What connection timeouts are measured with: the machine's clock, never the backend's.
    public var connectionClock: any DeviceClock = SystemClock()
    /// How long a connection may stay open without a request.
    public var idleTimeout: Duration = .seconds(75)
    /// How long a request may take to arrive.
    public var requestTimeout: Duration = .seconds(20)

    /// Loopback, a free port, state in memory.
    public init() {}
}

/// A running server of any provider.
public protocol RunningEmulator: AnyObject, Sendable {
    /// Where it listens: `http://127.0.0.1:PORT`.
    var base: String { get }
    /// Its controls.
    var panel: ControlPanel { get }
    /// The control routes, called without a connection.
    var controlCalls: ControlCalls { get }
    /// The line for the process that started it.
    var ready: ReadyLine { get }
    /// Closes all connections; returns when the server's thread has ended.
    func stop()
}
