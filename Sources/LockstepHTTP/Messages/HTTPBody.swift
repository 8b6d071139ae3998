public import LockstepPrimitives

/// The body of a request, with its content type.
public struct HTTPBody: Sendable, Equatable {
    /// The bytes that are sent.
    public let bytes: [UInt8]
    /// The value of `Content-Type`; `nil` if the header is not sent.
    public let type: String?

    /// Creates a body from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - type: The content type; `nil` to send none.
    public init(_ bytes: [UInt8], type: String?) {
        self.bytes = bytes
        self.type = type
    }

    /// No body.
    public static let none = HTTPBody([], type: nil)

    /// Creates a JSON body.
    ///
    /// - Parameter value: The JSON value.
    /// - Returns: The body.
    public static func json(_ value: JSON) -> HTTPBody {
        HTTPBody(value.bytes(), type: "application/json")
    }

    /// Creates a form body, as a web page sends it.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body.
    public static func form(_ form: HTTPForm) -> HTTPBody {
        HTTPBody(Array(form.encoded.utf8), type: "application/x-www-form-urlencoded")
    }
}
