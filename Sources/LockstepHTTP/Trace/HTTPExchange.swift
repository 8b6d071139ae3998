public import LockstepPrimitives

/// The record of one exchange in a trace.
///
/// It is redacted, so it is safe to show.
public struct HTTPExchange: Sendable {
    /// The outcome of the exchange.
    public enum Outcome: Sendable {
        /// A response arrived.
        case answered(status: Int, headers: HTTPHeaders, body: String)
        /// There was no complete response.
        case failed(HTTPFailure)
    }

    /// The method.
    public let method: HTTPMethod
    /// The URL, redacted.
    public let url: String
    /// The URL as it was sent.
    public let address: Secret
    /// The header fields of the request, redacted.
    public let headers: HTTPHeaders
    /// A digest of method, URL, authorization and body before redaction.
    ///
    /// Equal requests of one process have equal digests.
    public let digest: Int
    /// The size of the request in bytes: request line, headers and body as in HTTP/1.1, without what the transport adds.
    public let bytesUp: Int
    /// The size of the response in bytes, measured in the same way; 0 if there is none.
    public let bytesDown: Int
    /// The time when it began.
    public let began: Instant
    /// The duration of the exchange.
    public let duration: Duration

    /// The status of the response; `nil` if there is none.
    public let status: Int?
    /// The body and the answer, which are redacted when they are first asked for.
    let contents: ExchangeContents

    /// The body of the request, redacted and shortened.
    public var body: String { contents.shown.body }

    /// The outcome of the exchange.
    public var outcome: Outcome { contents.shown.outcome }
}
