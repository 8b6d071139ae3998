/// A request as it came, whole.
public struct ServerRequest: Sendable {
    /// The method, as written.
    public var method: String
    /// Path and query, as written: nothing is decoded.
    public var target: String
    /// Names and values in the order they came, repeats included.
    public var headers: [(name: String, value: String)]
    /// The body, without its transfer coding.
    public var body: [UInt8]
    /// The client's IP address; empty where it is not known.
    public var remoteAddress: String
    /// The address of this machine that the client has connected to; empty where it is not known.
    public var localAddress: String

    /// A request from its parts.
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
