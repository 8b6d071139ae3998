public import LockstepPrimitives

/// A whole answer.
public struct HTTPResponse: Sendable, Equatable {
    /// The status, 200 to 999; interim answers (1xx) are left out.
    public let status: Int
    /// The header fields, in order.
    public let headers: HTTPHeaders
    /// The body, as it came; no transport asks for packed answers.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as JSON, read by the rules for answers (`JSON.ReadingRules.answer`), so that its reader does bounded work.
    ///
    /// - Throws: `JSONError`, for instance where a proxy has answered with a page, or a hostile server with a million members.
    public func json() throws(JSONError) -> JSON { try JSON.parse(body, rules: .answer) }

    /// The body as text; `nil` where it is not UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }
}
