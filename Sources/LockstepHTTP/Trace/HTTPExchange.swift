public import LockstepPrimitives

/// The record of one exchange in a trace: redacted, so that it is safe to show.
public struct HTTPExchange: Sendable {
    /// How it ended.
    public enum Outcome: Sendable {
        /// With an answer.
        case answered(status: Int, headers: HTTPHeaders, body: String)
        /// Without one.
        case failed(HTTPFailure)
    }

    /// The method.
    public let method: HTTPMethod
    /// The address, redacted.
    public let url: String
    /// The address as it was sent.
    public let address: Secret
    /// Header fields of the request, redacted.
    public let headers: HTTPHeaders
    /// The same for two requests of one process that are the same: method, address, authorization and body, before redaction.
    public let digest: Int
    /// Size of the request: line, fields and body as HTTP/1.1 writes them, without what the transport adds.
    public let bytesUp: Int
    /// Size of the answer, counted the same way; 0 where there is none.
    public let bytesDown: Int
    /// When it began.
    public let began: Instant
    /// How long it took.
    public let duration: Duration

    /// The status of the answer, where there is one.
    public let status: Int?
    /// The body and the answer, which are redacted when they are first asked for.
    let contents: ExchangeContents

    /// The body of the request, redacted and cut.
    public var body: String { contents.shown.body }

    /// How it ended.
    public var outcome: Outcome { contents.shown.outcome }
}
