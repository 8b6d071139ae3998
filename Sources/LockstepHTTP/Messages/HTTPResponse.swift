/// A whole answer.
public struct HTTPResponse: Sendable, Equatable {
    /// The status, 200 to 999; what comes before the answer (1xx) is not told.
    public let status: Int
    /// The header fields, in order.
    public let headers: HTTPHeaders
    /// The body, unpacked.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as text; `nil` where it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }
}
