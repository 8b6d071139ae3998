/// A complete request.
public struct ServerRequest: Sendable {
    /// The method, unchanged.
    public var method: String
    /// The path and query, not decoded.
    public var target: String
    /// The header names and values in their original order, including repeated ones.
    public var headers: [(name: String, value: String)]
    /// The body, without its transfer coding.
    public var body: [UInt8]
    /// The client's IP address; empty if it is unknown.
    public var remoteAddress: String
    /// The address of this machine that the client connected to; empty if it is unknown.
    public var localAddress: String

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and query.
    ///   - headers: The header names and values.
    ///   - body: The body.
    ///   - remoteAddress: The client's IP address.
    ///   - localAddress: The address of this machine.
    public init(
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
