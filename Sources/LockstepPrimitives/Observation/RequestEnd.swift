/// How a request ended.
public enum RequestEnd: Sendable, Hashable {
    /// With an answer: its status, and the size of its body in bytes.
    case answered(status: Int, bytes: Int)
    /// Without one: the failure's stable code.
    case failed(String)
}
