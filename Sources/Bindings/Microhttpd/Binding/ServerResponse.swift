/// A response, with the way in which the server ends it.
package struct ServerResponse: Sendable {
    /// The way in which the server ends a response: it can truncate the response, and close the connection.
    package enum Ending: Sendable, Hashable {
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
    package var status: Int
    /// The names and values of the headers, in their order.
    ///
    /// A name may occur several times.
    ///
    /// The server itself adds `Content-Length` and `Transfer-Encoding`.
    package var headers: [(name: String, value: String)]
    /// The bytes of the body.
    ///
    /// The server omits the body for the method HEAD, and for status codes that allow no body.
    package var body: [UInt8]
    /// The way in which the server ends the response.
    package var ending: Ending

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The names and values of the headers. Default: none.
    ///   - body: The bytes of the body. Default: none.
    ///   - ending: The way in which the server ends the response. Default: the complete response.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], ending: Ending = .complete) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    /// No response.
    ///
    /// The connection is closed.
    package static let silence = ServerResponse(status: 200, ending: .silence)
}
