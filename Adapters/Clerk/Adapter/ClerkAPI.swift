internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Clerk's API for native apps: a form in, a resource with a snapshot of the client out.
struct ClerkAPI: Sendable {
    let configuration: ClerkConfiguration
    let transport: any HTTPTransport
    let clock: any DeviceClock
    let randomness: any Randomness

    /// The version of the API that answers are read in.
    private static let version = "2026-05-12"

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - client: The token of this device's client; `nil` begins a new one.
    ///   - session: The session that the request is about, where it is about one.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, _ form: [(name: String, value: String)] = [], client: Secret?,
        session: String? = nil,
        query: [(name: String, value: String)] = []
    ) async throws(AuthError) -> ClerkAnswer {
        var pairs = [(name: "_is_native", value: "true")] + query
        if let session { pairs.append(("_clerk_session_id", session)) }
        var headers: HTTPHeaders = ["Accept": "application/json", "clerk-api-version": Self.version]
        if let client { headers["Authorization"] = client.reveal() }
        let request = HTTPRequest(
            method, configuration.url + "/v1" + (try path.text()), query: HTTPForm(pairs), headers: headers,
            body: method == .get ? .none : .form(HTTPForm(form)), deadline: configuration.deadline)
        let response = try await transport.exchange(
            request, with: "Clerk", knownCode: { ErrorMeaning.ofCodes[$0] != nil }, refusal: ErrorMapping.error(for:))
        guard let json = try? response.json(), json.object != nil || json.array != nil else {
            throw ErrorMapping.notClerk(response, "JSON was expected")
        }
        return ClerkAnswer(
            json: json, client: Self.client(after: response, client),
            date: response.headers["Date"].flatMap { Instant(httpDate: $0) }, request: request)
    }

    /// The client's token after an answer: the answer's, else the previous one; `nil` where the answer has an empty one.
    private static func client(after response: HTTPResponse, _ former: Secret?) -> Secret? {
        guard let text = response.headers["Authorization"] else { return former }
        let words = text.split(separator: " ")
        return words.isEmpty || words == ["Bearer"] ? nil : Secret(words.joined(separator: " "))
    }

    /// Sends a request of a flow with this device's client; the client's token may change.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, _ form: [(name: String, value: String)] = [], in flow: FlowMemory,
        query: [(name: String, value: String)] = []
    ) async throws(AuthError) -> ClerkAnswer {
        let answer = try await call(method, path, form, client: flow[.client], query: query)
        flow[.client] = answer.client
        return answer
    }
}

/// A successful answer.
struct ClerkAnswer: Sendable {
    let json: JSON
    /// The client's token as it is now.
    let client: Secret?
    /// The server's date.
    let date: Instant?
    /// The request, whose secrets are withheld from errors that quote the answer.
    let request: HTTPRequest

    /// The resource, out of its envelope.
    func resource() throws(AuthError) -> JSONObject {
        guard let object = json["response"]?.object else { throw ErrorMapping.incomplete("the resource") }
        return object
    }

    /// A session in the snapshot of the client that stands beside the resource.
    func session(_ id: String) -> JSON? {
        (json["client"]?["sessions"]?.array ?? []).first { $0["id"]?.string == id }
    }
}
