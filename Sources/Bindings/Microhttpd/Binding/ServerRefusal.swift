/// The reason why a request was rejected before it reached the handler.
///
/// The end of such a request is ambiguous, so the connection is closed after the response.
public enum ServerRefusal: Sendable, Hashable {
    /// The request does not have exactly one `Host` header, so the addressed host is unknown.
    ///
    /// This applies to every HTTP version.
    case host
    /// The end of the body is ambiguous.
    ///
    /// There is more than one `Content-Length`, one that is not a number, or one next to `Transfer-Encoding`. Or there is
    /// a transfer coding other than `chunked`, or one in an HTTP/1.0 request.
    case length
    /// The target or a header contains a carriage return or another control character.
    case controlCharacter
    /// The head could be read differently by another server.
    ///
    /// It has a name that is not a token (RFC 9110, section 5.6.2), such as one with a space before its colon. Or it has
    /// a folded or an empty line, a line that does not end with CR LF, or a method that is not a token.
    case malformedHead
    /// The request line is longer than the limit for the whole head.
    case targetTooLong
    /// The request line and headers are longer than the limit.
    case headTooLarge
    /// The body is longer than the limit.
    case bodyTooLarge

    /// The status of the response.
    public var status: Int {
        switch self {
        case .host, .length, .controlCharacter, .malformedHead: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        }
    }
}
