/// A response, and how its transmission ends.
public struct ServerResponse: Sendable {
    /// The end of the transmission.
    public enum Ending: Sendable, Hashable {
        /// The response is sent completely.
        ///
        /// The connection stays open if the client wants it.
        case complete
        /// The response is sent completely, and then the connection is closed.
        case close
        /// The full length is announced, this many bytes of the body are sent, and then the connection is closed.
        case truncate(after: Int)
        /// Nothing is sent.
        ///
        /// The connection is closed.
        case silence
    }

    /// The status, 200 to 599.
    public var status: Int
    /// The header names and values in order, including repeated ones.
    ///
    /// The server itself sets `Content-Length` and `Transfer-Encoding`.
    public var headers: [(name: String, value: String)]
    /// The body.
    ///
    /// The server leaves it out if the status or HEAD does not allow one.
    public var body: [UInt8]
    /// The end of the transmission.
    public var ending: Ending

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header names and values. Default: none.
    ///   - body: The body. Default: empty.
    ///   - ending: The end of the transmission. Default: complete.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], ending: Ending = .complete) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    /// No response: the connection is closed.
    public static let silence = ServerResponse(status: 200, ending: .silence)
}
