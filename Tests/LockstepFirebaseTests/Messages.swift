import LockstepHTTP
import LockstepPrimitives

extension HTTPResponse {
    static func json(_ status: Int, _ body: JSON) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"], body: body.bytes())
    }

    static func json(_ body: JSON) -> HTTPResponse { json(200, body) }
}

extension HTTPRequest {
    /// The body, if it is JSON.
    var json: JSON? { try? JSON.parse(body.bytes) }
    /// The last part of the address: the called method.
    var call: String { String(url.split(separator: "/").last ?? "") }
}
