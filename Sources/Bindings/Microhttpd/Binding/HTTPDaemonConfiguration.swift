/// The limits of an ``HTTPDaemon``.
public struct HTTPDaemonConfiguration: Sendable {
    /// The maximum size of a request body in bytes.
    public var bodyLimit: Int
    /// The maximum size of the request line and headers in bytes.
    ///
    /// Longer ones get 414 or 431.
    ///
    /// The head of a response may be twice as long.
    public var headerLimit: Int
    /// The maximum time for which a connection may be open without the first line of a request.
    public var idleTimeout: Duration
    /// The maximum time of a request, from its first line to its last byte.
    public var requestTimeout: Duration
    /// The maximum number of connections, at most a quarter of the process's limit for open files.
    ///
    /// If another connection arrives, the connection whose client has been silent the longest is closed. So a client with
    /// many connections does not lock out others.
    public var connectionLimit: Int

    /// Creates limits for a server on the same machine.
    ///
    /// - Parameters:
    ///   - bodyLimit: The maximum size of a request body in bytes.
    ///   - headerLimit: The maximum size of the request line and headers in bytes.
    ///   - idleTimeout: The maximum time without the first line of a request.
    ///   - requestTimeout: The maximum time of a request.
    ///   - connectionLimit: The maximum number of connections.
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
