/// The limits of an ``HTTPDaemon``.
package struct HTTPDaemonConfiguration: Sendable {
    /// The maximum size of a request body in bytes.
    package var bodyLimit: Int
    /// The maximum size in bytes of the request line and the headers together.
    ///
    /// The server rejects a larger request with status 414 or 431. The headers of a response may be twice as long.
    package var headerLimit: Int
    /// The longest time that the server waits for the first line of a request on an open connection.
    package var idleTimeout: Duration
    /// The longest time from the first line of a request to its last byte.
    package var requestTimeout: Duration

    /// Creates limits that suit a server for clients on the same machine.
    ///
    /// - Parameters:
    ///   - bodyLimit: The maximum size of a request body in bytes.
    ///   - headerLimit: The maximum size in bytes of the request line and the headers together.
    ///   - idleTimeout: The longest time that the server waits for the first line of a request on an open connection.
    ///   - requestTimeout: The longest time from the first line of a request to its last byte.
    package init(
        bodyLimit: Int = 1 << 20, headerLimit: Int = 32 << 10, idleTimeout: Duration = .seconds(75),
        requestTimeout: Duration = .seconds(20)
    ) {
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
    }
}
