/// What is sent back, and how the sending ends.
public struct ServerResponse: Sendable {
    /// How the sending ends.
    public enum Ending: Sendable, Hashable {
        /// Whole; the connection stays open if the client wants it to.
        case complete
        /// Whole, then the connection is closed.
        case close
        /// The full length is announced, that many bytes of the body are sent, then the connection is closed.
        case truncate(after: Int)
        /// Nothing is sent at all: the connection is closed.
        case silence
    }

    /// The status, 200 to 599.
    public var status: Int
    /// Names and values in order, repeats included.
    ///
    /// `Content-Length` and `Transfer-Encoding` are the server's own business.
    public var headers: [(name: String, value: String)]
    /// The body; left out by the server where the status or HEAD forbids one.
    public var body: [UInt8]
    /// How the sending ends.
    public var ending: Ending

    /// A response from its parts.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], ending: Ending = .complete) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    /// No response: the connection is closed.
    public static let silence = ServerResponse(status: 200, ending: .silence)
}
