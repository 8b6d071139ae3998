/// A complete request.
package struct ServerRequest: Sendable {
    /// The method, unchanged.
    package var method: String
    /// The path and the query as they were sent, not decoded.
    package var target: String
    /// The names and values of the headers, in their order.
    ///
    /// A name may occur several times.
    package var headers: [(name: String, value: String)]
    /// The bytes of the body, after the transfer coding was removed.
    package var body: [UInt8]
    /// The IP address of the client; empty if it is unknown.
    package var remoteAddress: String
    /// The address of this machine to which the client connected; empty if it is unknown.
    package var localAddress: String

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - target: The path and the query, not decoded.
    ///   - body: The bytes of the body.
    ///   - remoteAddress: The IP address of the client.
    ///   - localAddress: The address of this machine to which the client connected.
    package init(
        method: String, target: String, headers: [(name: String, value: String)], body: [UInt8], remoteAddress: String,
        localAddress: String = ""
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.localAddress = localAddress
    }
}
