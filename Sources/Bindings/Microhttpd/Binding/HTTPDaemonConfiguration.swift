/// The limits of an ``HTTPDaemon``.
public struct HTTPDaemonConfiguration: Sendable {
    /// Bytes of a body; a longer one is refused.
    public var bodyLimit: Int
    /// Bytes of a request line with its headers; more of them get 414 or 431.
    ///
    /// The head of an answer may be twice as long.
    public var headerLimit: Int
    /// How long a connection may stay open without the first line of a request.
    public var idleTimeout: Duration
    /// How long a request may take from its first line to its last byte.
    public var requestTimeout: Duration
    /// Connections at the same time, at most a quarter of the files that the process may have open.
    ///
    /// Where one more comes, the one whose client has been silent longest is closed: a client that keeps many open shuts no other
    /// out.
    public var connectionLimit: Int

    /// Limits for a server on the same machine.
    public init(
        bodyLimit: Int = 1 << 20, headerLimit: Int = 32 << 10, idleTimeout: Duration = .seconds(75),
        requestTimeout: Duration = .seconds(20), connectionLimit: Int = 1000
    ) {
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
        self.connectionLimit = connectionLimit
    }
}
