public import LockstepPrimitives

/// A response of an emulator.
public struct EmulatorResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without `Date` and `Content-Length`, which the server adds.
    public var headers: Headers
    /// The bytes of the body.
    public var body: [UInt8]
    /// The id of the user who made the request; `nil` if unknown.
    ///
    /// It is shown with the recorded request.
    package var userID: String?
    /// The numbers of the messages that the request has sent.
    package var messages: [Int] = []
    /// The reason why the request has sent no message although a person may wait for one; it is shown with the recorded request.
    package var unsentReason: String?
    /// How the response is sent.
    ///
    /// Any value except `whole` is a fault.
    var delivery = Delivery.whole

    enum Delivery: Sendable, Hashable {
        case whole
        case truncated(after: Int)
        case silence
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields. Default: none.
    ///   - body: The bytes of the body. Default: none.
    public init(status: Int, headers: Headers = .init(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension EmulatorResponse {
    /// Returns a response with a JSON body.
    ///
    /// - Parameters:
    ///   - status: The status code. Default: 200.
    ///   - style: The style in which the JSON is written.
    ///   - contentType: The content type. Default: `application/json`.
    public static func json(
        _ value: JSON, status: Int = 200, style: JSON.Style = .compact, contentType: String = "application/json"
    ) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Content-Type": contentType], body: value.bytes(style))
    }

    /// Returns a response with plain text.
    ///
    /// - Parameters:
    ///   - status: The status code. Default: 200.
    ///   - contentType: The content type. Default: plain text in UTF-8.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Content-Type": contentType], body: Array(text.utf8))
    }

    /// Returns a response with an HTML page.
    ///
    /// - Parameters:
    ///   - page: The HTML document.
    ///   - status: The status code. Default: 200.
    ///   - policy: The `Content-Security-Policy` of the page. By default, the page runs no script, loads nothing, and cannot be
    ///     shown in a frame.
    public static func html(_ page: String, status: Int = 200, policy: String = pagePolicy) -> EmulatorResponse {
        text(page, status: status, contentType: "text/html; charset=utf-8").with("Content-Security-Policy", policy)
    }

    /// The `Content-Security-Policy` of a page that only shows text and sends its own form.
    public static let pagePolicy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    /// Returns a response without a body.
    ///
    /// - Parameter status: The status code. Default: 204.
    public static func empty(status: Int = 204) -> EmulatorResponse {
        EmulatorResponse(status: status)
    }

    /// Returns a redirect to another URL.
    ///
    /// - Parameters:
    ///   - status: The status code. Default: 303.
    public static func redirect(to location: String, status: Int = 303) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Location": location])
    }

    /// Returns a copy of this response with an additional header.
    public func with(_ name: String, _ value: String) -> EmulatorResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }
}
