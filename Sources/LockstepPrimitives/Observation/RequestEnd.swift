/// The outcome of a request.
public enum RequestEnd: Sendable, Hashable {
    /// A response arrived, with this status and this body size in bytes.
    case answered(status: Int, bytes: Int)
    /// The request failed, with this stable code.
    case failed(String)
}
