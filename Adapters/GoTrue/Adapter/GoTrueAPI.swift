internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// GoTrue's wire: one request in, a JSON object or an error of the adapter's table out.
struct GoTrueAPI: Sendable {
    let configuration: GoTrueConfiguration
    let transport: any HTTPTransport
    let clock: any DeviceClock
    let randomness: any Randomness

    /// The format of errors that is asked for; older servers and gateways answer in the older one all the same.
    private static let version = "2024-01-01"

    /// Sends a request whose answer is a JSON object.
    ///
    /// - Parameter token: the access token of the user whom the request is about.
    func call(
        _ method: HTTPMethod, _ path: String, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> GoTrueAnswer {
        let response = try await send(method, configuration.url + path, query: query, body: body, as: token)
        guard let object = (try? JSON.parse(response.body))?.object else {
            throw ErrorMapping.notGoTrue(response, "a JSON object was expected")
        }
        return GoTrueAnswer(object: object, date: response.headers["Date"].flatMap { Instant(httpDate: $0) })
    }

    /// Sends a request whose answer has nothing to say beyond its status.
    @discardableResult
    func perform(
        _ method: HTTPMethod, url: String, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> HTTPResponse {
        try await send(method, url, query: query, body: body, as: token)
    }

    private func send(
        _ method: HTTPMethod, _ url: String, query: HTTPForm, body: JSONObject?, as token: Secret?
    ) async throws(AuthError) -> HTTPResponse {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Supabase-Api-Version": Self.version]
        headers["apikey"] = configuration.key?.reveal()
        if let token { headers["Authorization"] = "Bearer " + token.reveal() }
        let request = HTTPRequest(
            method, url, query: query, headers: headers, body: body.map { .json(.object($0)) } ?? .none,
            deadline: configuration.deadline)
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw ErrorMapping.error(for: error)
        }
        guard response.isSuccess else { throw ErrorMapping.error(for: response) }
        return response
    }
}

/// A successful answer.
struct GoTrueAnswer: Sendable {
    var object: JSONObject
    /// The server's date.
    var date: Instant?
}
