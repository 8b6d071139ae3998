internal import LockstepMicrohttpd

/// Why a request was refused before routing; its connection is closed after the answer.
public enum Refusal: Sendable, Hashable {
    /// Not exactly one `Host` header.
    case host
    /// No one length: several, a broken one, or one beside `Transfer-Encoding`.
    case length
    /// A control character in the target or in a header.
    case controlCharacter
    /// A head that another server could read differently: a name that is no token, a folded line, a line that ends otherwise than with
    /// CR LF.
    case malformedHead
    /// The request line is too long.
    case targetTooLong
    /// Request line and headers are too long.
    case headTooLarge
    /// The body is longer than ``Emulator/bodyLimit``.
    case bodyTooLarge

    init(_ refusal: ServerRefusal) {
        self =
            switch refusal {
            case .host: .host
            case .length: .length
            case .controlCharacter: .controlCharacter
            case .malformedHead: .malformedHead
            case .targetTooLong: .targetTooLong
            case .headTooLarge: .headTooLarge
            case .bodyTooLarge: .bodyTooLarge
            }
    }

    /// The status that says it.
    public var status: Int {
        switch self {
        case .host, .length, .controlCharacter, .malformedHead: 400
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .bodyTooLarge: 413
        }
    }

    /// A sentence that says it.
    public var sentence: String {
        switch self {
        case .host: "The request needs exactly one Host header."
        case .length: "The length of the body is doubtful."
        case .controlCharacter: "The request has a control character in its target or headers."
        case .malformedHead: "The request line or a header is malformed."
        case .targetTooLong: "The target is too long."
        case .headTooLarge: "The target and the headers are too large."
        case .bodyTooLarge: "The body is too large."
        }
    }
}
