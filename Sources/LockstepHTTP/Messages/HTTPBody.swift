public import LockstepPrimitives

/// The body of a request, with its content type.
public struct HTTPBody: Sendable, Equatable {
    /// The bytes, exactly as they go out.
    public let bytes: [UInt8]
    /// The value of `Content-Type`; `nil` where none is sent.
    public let type: String?

    /// Bytes of a content type.
    public init(_ bytes: [UInt8], type: String?) {
        self.bytes = bytes
        self.type = type
    }

    /// No body.
    public static let none = HTTPBody([], type: nil)

    /// A JSON value.
    public static func json(_ value: JSON) -> HTTPBody {
        HTTPBody(value.bytes(), type: "application/json")
    }

    /// A form, as a web page sends one.
    public static func form(_ form: HTTPForm) -> HTTPBody {
        HTTPBody(Array(form.encoded.utf8), type: "application/x-www-form-urlencoded")
    }
}
