/// The answer to an outgoing request.
public struct OutgoingAnswer: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The `Content-Type` as it was sent; empty where there was none.
    public var contentType: String
    /// The body.
    public var body: [UInt8]
}
