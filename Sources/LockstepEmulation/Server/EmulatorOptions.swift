public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// Where an emulator listens, and its dependencies.
public struct EmulatorOptions: Sendable {
    /// The IPv4 address.
    ///
    /// Any other address lets other machines in.
    public var host = "127.0.0.1"
    /// Further names under which it is reached, besides those of loopback and ``host``: without a port, such as
    /// `auth.example.test`.
    ///
    /// A request for any other name is refused with 421, so that a web page cannot reach it under the page's own name.
    public var allowedHosts: [String] = []
    /// The port; 0 takes a free one.
    public var port: UInt16 = 0
    /// The backend's clock; `nil` makes one that runs with the machine's.
    public var clock: ManualClock?
    /// Where ids, codes and tokens come from.
    public var randomness: any Randomness = SystemRandomness()
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
