/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    /// The method as the wire has it, upper case by custom.
    public let rawValue: String

    /// A method of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads the header only.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Does what the resource does.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what is possible.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    /// Whether sending it twice does nothing that sending it once does not (RFC 9110, section 9.2.1).
    ///
    /// PUT and DELETE are idempotent but not safe: a second DELETE answers 404 where the first has answered 204, and the caller
    /// would get the wrong result. So they do not count.
    public var isSafe: Bool { self == .get || self == .head || self == .options }
}
