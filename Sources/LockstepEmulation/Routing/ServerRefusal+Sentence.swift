internal import LockstepMicrohttpd

extension ServerRefusal {
    /// The reason why the server rejected the request, as a sentence.
    public var sentence: String {
        switch self {
        case .host: "The request needs exactly one Host header."
        case .length: "The length of the body is invalid or ambiguous."
        case .controlCharacter: "The request has a control character in its target or headers."
        case .malformedHead: "The request line or a header is malformed."
        case .targetTooLong: "The target is too long."
        case .headTooLarge: "The target and the headers are too large."
        case .bodyTooLarge: "The body is too large."
        case .busy: "Too many connections are open. Try again, or raise the limit of open files (ulimit -n)."
        }
    }
}
