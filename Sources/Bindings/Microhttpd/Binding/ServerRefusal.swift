/// The reason why the server rejects a request before the handler gets it.
///
/// The server cannot know where such a request ends. So the server closes the connection after the response.
package enum ServerRefusal: Sendable, Hashable {
    /// The request has no `Host` header, or more than one, so it is not clear which host is meant.
    ///
    /// The server rejects this in every version of HTTP.
    case host
    /// It is not clear where the body ends.
    ///
    /// The request has several `Content-Length` headers, an invalid one, or one together with `Transfer-Encoding`. Or it has a
    /// transfer coding other than `chunked`, or any transfer coding in HTTP/1.0.
    case length
    /// The target or a header contains a control character, such as a carriage return.
    case controlCharacter
    /// Another server could read the request line and the headers differently.
    ///
    /// A header has a name that is not a token (RFC 9110, section 5.6.2), such as one with a space before the colon. Or the
    /// headers contain a folded or an empty line, or a line that does not end with CR LF. Or the method is not a token.
    case malformedHead
    /// The request line alone is longer than the limit for the request line and the headers together.
    case targetTooLong
    /// The request line and the headers together are longer than the limit.
    case headTooLarge
    /// The body is longer than the limit.
    case bodyTooLarge
    /// All connections of this process are in use.
    ///
    /// A request that waits for an event gets this response first, also after it has waited for a while. The response has the
    /// header `Retry-After`.
    case busy

    /// The status code of the response.
    package var status: Int {
        switch self {
        case .host, .length, .controlCharacter, .malformedHead: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        case .busy: 503
        }
    }
}
