/// Why a request was refused before it reached the handler.
///
/// The end of such a request is ambiguous, so the connection is closed after the answer.
public enum ServerRefusal: Sendable, Hashable {
    /// Not exactly one `Host` header, in any version: without one the addressed host is unknown.
    case host
    /// Where the body ends is doubtful: more than one `Content-Length`, one that is no number, or one beside `Transfer-Encoding`; any
    /// transfer coding but `chunked`, or one in a request of HTTP/1.0.
    case length
    /// A carriage return or another control character in the target or in a header.
    case controlCharacter
    /// A head that another server could read differently.
    ///
    /// A name that is no token (RFC 9110, section 5.6.2), such as one with a space before its colon; a folded or an empty line; a
    /// line that does not end with CR LF; a method that is no token.
    case malformedHead
    /// The request line is longer than the limit of the whole head.
    case targetTooLong
    /// Request line and headers are longer than the limit.
    case headTooLarge
    /// The body is longer than the limit.
    case bodyTooLarge

    /// The status it is answered with.
    public var status: Int {
        switch self {
        case .host, .length, .controlCharacter, .malformedHead: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        }
    }
}
