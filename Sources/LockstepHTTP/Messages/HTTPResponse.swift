public import LockstepPrimitives

/// A complete response to an HTTP request.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, from 200 to 999.
    ///
    /// A transport skips interim responses (1xx).
    public let status: Int
    /// The header fields, in order.
    public let headers: HTTPHeaders
    /// The bytes of the body, as they were received.
    ///
    /// The bytes are not compressed, because no transport requests compression.
    public let body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields. Default: none.
    ///   - body: The body. Default: empty.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// Parses the body as JSON, with limits that protect against hostile servers (`JSON.ReadingRules.answer`).
    ///
    /// - Throws: `JSONError`, for example if a proxy returned a web page, or if a hostile server sent a million members.
    public func json() throws(JSONError) -> JSON { try JSON.parse(body, rules: .answer) }

    /// The body as text; `nil` if the body is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }
}
