/// The outcome of a request.
public enum RequestEnd: Sendable, Hashable {
    /// A response arrived; `bytes` is the size of its body.
    case answered(status: Int, bytes: Int)
    /// The request failed; the value is the stable code of the error.
    case failed(String)
}
