package import Lockstep
package import LockstepHTTP
package import LockstepPrimitives
package import LockstepWire

/// Sends GoTrue's requests: returns an answer, or throws an error of the adapter's table.
package struct GoTrueWire: Sendable {
    /// The address of the API.
    package let url: String
    let key: Secret?
    let deadline: Duration
    let transport: any HTTPTransport

    /// A wire to a server; `key` is the API key for a gateway before it.
    package init(url: String, key: Secret?, deadline: Duration, transport: any HTTPTransport) {
        self.url = url
        self.key = key
        self.deadline = deadline
        self.transport = ObservedTransport(transport)
    }

    /// The error format to request; older servers and gateways answer in the older one all the same.
    private static let version = "2024-01-01"

    /// Sends a request whose answer is a JSON object.
    ///
    /// - Parameter token: the access token of the user whom the request is about.
    package func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> GoTrueAnswer {
        let response = try await send(method, url + (try path.text()), query: query, body: body, as: token)
        guard let object = (try? response.json())?.object else {
            throw ErrorMapping.notGoTrue(response, "a JSON object was expected")
        }
        return GoTrueAnswer(object: object, headers: response.headers)
    }

    /// Sends a request to an address, GoTrue's own or that of a function beside it.
    ///
    /// - Returns: the answer as it came, which is no refusal.
    @discardableResult
    package func send(
        _ method: HTTPMethod, _ url: String, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> HTTPResponse {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Supabase-Api-Version": Self.version]
        headers["apikey"] = key?.reveal()
        if let token { headers["Authorization"] = "Bearer " + token.reveal() }
        let request = HTTPRequest(
            method, url, query: query, headers: headers, body: body.map { .json(.object($0)) } ?? .none, deadline: deadline)
        return try await transport.exchange(
            request, with: "GoTrue", knownCode: { ErrorMeaning.ofCodes[$0] != nil }, refusal: ErrorMapping.error(for:))
    }
}

/// A successful answer.
package struct GoTrueAnswer: Sendable {
    /// The body.
    package var object: JSONObject
    /// The headers.
    package var headers: HTTPHeaders

    /// The server's date.
    var date: Instant? { headers["Date"].flatMap { Instant(httpDate: $0) } }
}
