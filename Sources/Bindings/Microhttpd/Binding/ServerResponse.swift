/// A response, with the way in which the server ends it.
public struct ServerResponse: Sendable {
    /// The way in which the server ends a response: it can truncate the response, and close the connection.
    public enum Ending: Sendable, Hashable {
        /// The response is sent completely.
        ///
        /// The connection stays open if the client wants this.
        case complete
        /// The response is sent completely.
        ///
        /// Then the connection is closed.
        case close
        /// Only this many bytes of the body are sent, although the response announces its full length.
        ///
        /// Then the connection is closed.
        case truncate(after: Int)
        /// Nothing is sent, and the connection is closed.
        case silence
    }

    /// The status code, from 200 to 599.
    public var status: Int
    /// The names and values of the headers, in their order.
    ///
    /// A name may occur several times.
    ///
    /// The server itself adds `Content-Length` and `Transfer-Encoding`.
    public var headers: [(name: String, value: String)]
    /// The bytes of the body.
    ///
    /// The server omits the body for the method HEAD, and for status codes that allow no body.
    public var body: [UInt8]
    /// The way in which the server ends the response.
    public var ending: Ending

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The names and values of the headers. Default: none.
    ///   - body: The bytes of the body. Default: none.
    ///   - ending: The way in which the server ends the response. Default: the complete response.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], ending: Ending = .complete) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    /// No response.
    ///
    /// The connection is closed.
    public static let silence = ServerResponse(status: 200, ending: .silence)
}
