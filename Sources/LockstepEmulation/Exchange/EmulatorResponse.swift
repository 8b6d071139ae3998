public import LockstepPrimitives

/// The response of an emulator.
public struct EmulatorResponse: Sendable {
    /// The status.
    public var status: Int
    /// The headers; `Date` and `Content-Length` are added when it is sent.
    public var headers: Headers
    /// The body.
    public var body: [UInt8]
    /// The user whom the request acted for, if that is known: it is shown with the exchange.
    package var userID: String?
    /// How the sending ends; anything but `whole` is a fault.
    var delivery = Delivery.whole

    enum Delivery: Sendable, Hashable {
        case whole
        case truncated(after: Int)
        case silence
    }

    /// Creates a response.
    public init(status: Int, headers: Headers = .init(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension EmulatorResponse {
    /// Returns a response with JSON.
    public static func json(
        _ value: JSON, status: Int = 200, style: JSON.Style = .compact, contentType: String = "application/json"
    ) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Content-Type": contentType], body: value.bytes(style))
    }

    /// Returns a response with plain text.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Content-Type": contentType], body: Array(text.utf8))
    }

    /// Returns a response with an HTML page.
    ///
    /// - Parameters:
    ///   - page: The HTML document.
    ///   - status: The status of the response.
    ///   - policy: The `Content-Security-Policy`. By default, the page runs no script, loads nothing, and cannot be framed.
    /// - Returns: The response with an HTML page.
    public static func html(_ page: String, status: Int = 200, policy: String = pagePolicy) -> EmulatorResponse {
        text(page, status: status, contentType: "text/html; charset=utf-8").with("Content-Security-Policy", policy)
    }

    /// The policy of a page that only shows text and sends its own form.
    public static let pagePolicy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    /// Returns a response without a body.
    public static func empty(status: Int = 204) -> EmulatorResponse {
        EmulatorResponse(status: status)
    }

    /// Returns a redirect.
    public static func redirect(to location: String, status: Int = 303) -> EmulatorResponse {
        EmulatorResponse(status: status, headers: ["Location": location])
    }

    /// Returns the response with an additional header.
    public func with(_ name: String, _ value: String) -> EmulatorResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }
}
