public import LockstepPrimitives

/// The body of a request, with its content type.
public struct HTTPBody: Sendable, Equatable {
    /// The bytes of the body.
    public let bytes: [UInt8]
    /// The value of the `Content-Type` header; `nil` if the header is not sent.
    public let type: String?

    /// Creates a body from bytes.
    ///
    /// - Parameters:
    ///   - type: The value of the `Content-Type` header; `nil` to send no such header.
    public init(_ bytes: [UInt8], type: String?) {
        self.bytes = bytes
        self.type = type
    }

    /// An empty body without a content type.
    public static let none = HTTPBody([], type: nil)

    /// Creates a JSON body.
    public static func json(_ value: JSON) -> HTTPBody {
        HTTPBody(value.bytes(), type: "application/json")
    }

    /// Creates a body with the pairs of a form, encoded as a browser does.
    public static func form(_ form: HTTPForm) -> HTTPBody {
        HTTPBody(Array(form.encoded.utf8), type: "application/x-www-form-urlencoded")
    }
}
