import LockstepHTTP
import LockstepPrimitives

extension HTTPResponse {
    static func json(_ status: Int, _ body: JSON, date: String = "Thu, 01 Jan 2026 00:00:00 GMT", wait: String? = nil)
        -> HTTPResponse
    {
        var headers: HTTPHeaders = ["Date": date, "Authorization": "client-2"]
        if let wait { headers["Retry-After"] = wait }
        return HTTPResponse(status: status, headers: headers, body: body.bytes())
    }

    static func json(_ body: JSON) -> HTTPResponse { json(200, body) }
}

extension HTTPRequest {
    /// The part after the API's address, without the parameters of every request.
    var path: String { String(url.dropFirst(Clerk.url.count)).replacing("?_is_native=true", with: "") }
    /// The body, if it is a form.
    var form: String { String(decoding: body.bytes, as: UTF8.self) }
}
