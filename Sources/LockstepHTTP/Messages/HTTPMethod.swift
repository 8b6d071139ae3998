/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    /// The text of the method as it is sent, usually in upper case.
    public let rawValue: String

    /// Creates a method.
    ///
    /// - Parameter rawValue: The text of the method as it is sent.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads the headers of a resource.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Sends data to a resource, which decides how to process the data.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Requests the methods that a resource supports.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    /// Whether the method only reads, so that a request can be sent again without harm (RFC 9110, section 9.2.1).
    ///
    /// PUT and DELETE are not safe: their second response may differ. If the first DELETE returns 204, the second returns 404,
    /// and the caller would get the wrong result.
    public var isSafe: Bool { self == .get || self == .head || self == .options }
}
