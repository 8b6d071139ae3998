public import LockstepPrimitives

/// The record of one request and its response.
///
/// Secrets are masked, so the record is safe to show.
public struct HTTPExchange: Sendable {
    /// The outcome of a request: a response or a failure.
    public enum Outcome: Sendable {
        /// A response arrived.
        ///
        /// Its headers and body are shown without secrets.
        case answered(status: Int, headers: HTTPHeaders, body: String)
        /// No complete response arrived.
        case failed(HTTPFailure)
    }

    /// The method of the request.
    public let method: HTTPMethod
    /// The URL of the request, without secrets.
    public let url: String
    /// The URL of the request as it was sent.
    public let address: Secret
    /// The header fields of the request, without secrets.
    public let headers: HTTPHeaders
    /// A number that identifies equal requests: within a process, equal requests have the same number.
    ///
    /// The number is computed from the method, the URL, the authorization and the body before their secrets are masked.
    public let digest: Int
    /// The size of the request in bytes.
    ///
    /// The size includes the request line, the headers and the body as in HTTP/1.1. The size does not include anything that the
    /// transport adds.
    public let bytesUp: Int
    /// The size of the response in bytes, measured like ``bytesUp``; 0 if there is no response.
    public let bytesDown: Int
    /// The time when the request began.
    public let began: Instant
    /// The time from the beginning of the request to the end of the response.
    public let duration: Duration

    /// The status code of the response; `nil` if there is no response.
    public let status: Int?
    /// The body and the response; secrets are removed when a reader first reads them.
    let contents: ExchangeContents

    /// The body of the request, shortened and without secrets.
    public var body: String { contents.shown.body }

    /// The response, or the failure.
    public var outcome: Outcome { contents.shown.outcome }
}
