package import Lockstep
package import LockstepHTTP
package import LockstepPrimitives
package import LockstepWire

/// The dependencies of every part of the adapter: network, clock and randomness.
struct GoTrueAPI: Sendable {
    let configuration: GoTrueConfiguration
    let wire: GoTrueWire
    let clock: any DeviceClock
    let randomness: any Randomness

    init(
        configuration: GoTrueConfiguration, transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) {
        self.configuration = configuration
        self.clock = clock
        self.randomness = randomness
        wire = GoTrueWire(
            url: configuration.url, key: configuration.key.map { Secret($0) }, deadline: configuration.deadline,
            transport: transport)
    }

    /// Sends a request whose response is a JSON object.
    ///
    /// - `token`: The access token of the user that the request is about.
    /// - `captcha`: The token of a captcha, if the app has passed one for this request (`gotrue_meta_security`).
    func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil,
        hasEffects: Bool = false, captcha: Secret? = nil
    ) async throws(AuthError) -> JSONResponse {
        var body = body
        if let captcha { body?["gotrue_meta_security"] = ["captcha_token": .string(captcha.reveal())] }
        return try await wire.call(method, path, query: query, body: body, as: token, hasEffects: hasEffects)
    }
}

/// Sends GoTrue's requests: returns a response, or throws an error of the adapter's table.
package struct GoTrueWire: Sendable {
    /// The address of the API.
    package let url: String
    let key: Secret?
    let deadline: Duration
    private let wire: JSONWire<ErrorMapping>
    private let functions: JSONWire<FunctionErrors>

    /// Creates a wire to a server; `key` is the API key for the gateway in front of the server.
    package init(url: String, key: Secret?, deadline: Duration, transport: some HTTPTransport) {
        self.url = url
        self.key = key
        self.deadline = deadline
        wire = JSONWire(transport)
        functions = JSONWire(transport)
    }

    /// The thread of the transport.
    package var executor: (any TaskExecutor)? { wire.executor }

    /// Returns the error for a response that lacks a required part.
    package static func incomplete(_ what: String) -> AuthError { ErrorMapping.incomplete(what) }

    /// The error format to request; older servers and gateways still respond in the older format.
    private static let version = "2024-01-01"

    /// Sends a request whose response is a JSON object.
    ///
    /// - `token`: The access token of the user that the request is about.
    package func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil,
        hasEffects: Bool = false
    ) async throws(AuthError) -> JSONResponse {
        var request = request(method, url + (try path.text()), query: query, body: body, as: token)
        request.hasEffects = hasEffects
        return try await wire.call(request)
    }

    /// Sends a request to a URL of GoTrue, or of a function next to it.
    ///
    /// - Returns: The response, unchanged, if it is not an error.
    @discardableResult
    package func send(
        _ method: HTTPMethod, _ url: String, query: HTTPForm = [:], body: JSONObject? = nil, as token: Secret? = nil
    ) async throws(AuthError) -> HTTPResponse {
        try await wire.send(request(method, url, query: query, body: body, as: token))
    }

    /// Calls a function on the app's own server for a user.
    ///
    /// - Returns: The response, unchanged, if it is not an error.
    func callFunction(_ url: String, as token: Secret) async throws(AuthError) -> HTTPResponse {
        try await functions.send(request(.post, url, query: [:], body: [:], as: token))
    }

    private func request(
        _ method: HTTPMethod, _ url: String, query: HTTPForm, body: JSONObject?, as token: Secret?
    ) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json", "X-Supabase-Api-Version": Self.version]
        headers["apikey"] = key?.reveal()
        if let token { headers["Authorization"] = "Bearer " + token.reveal() }
        return HTTPRequest(
            method, url, query: query, headers: headers, body: body.map { .json(.object($0)) } ?? .none, deadline: deadline)
    }
}
