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
    /// The part after the API's address.
    var path: String { String(url.dropFirst(GoTrue.url.count)) }
}
