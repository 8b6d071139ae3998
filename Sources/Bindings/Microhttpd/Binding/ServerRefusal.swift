/// Why a request was refused before anybody looked at it.
///
/// Where such a request ends is doubtful, so the connection is closed after the answer.
public enum ServerRefusal: Sendable, Hashable {
    /// HTTP/1.1 asks for exactly one `Host` header.
    case host
    /// More than one `Content-Length`, one that is no number, or one beside `Transfer-Encoding`: where the body ends is doubtful.
    case length
    /// A carriage return or another control character in the target or in a header.
    case controlCharacter
    /// The request line is longer than the limit of the whole head.
    case targetTooLong
    /// Request line and headers are longer than the limit.
    case headTooLarge
    /// The body is longer than the limit.
    case bodyTooLarge

    /// The status it is answered with.
    public var status: Int {
        switch self {
        case .host, .length, .controlCharacter: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        }
    }
}
