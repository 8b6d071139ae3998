internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The dependencies of every part of the adapter: network, clock and randomness.
///
/// Clerk's API for native apps accepts a form, and returns a resource with a snapshot of the client.
struct ClerkAPI: Sendable {
    let configuration: ClerkConfiguration
    let wire: JSONWire<ErrorMapping>
    let clock: any DeviceClock
    let randomness: any Randomness

    init(
        configuration: ClerkConfiguration, transport: some HTTPTransport, clock: any DeviceClock, randomness: any Randomness
    ) {
        self.configuration = configuration
        self.clock = clock
        self.randomness = randomness
        wire = JSONWire(transport)
    }

    /// The version of the API, which determines the format of responses.
    private static let version = "2026-05-12"

    /// Sends a request.
    ///
    /// - `client`: The token of this device's client; `nil` begins a new client.
    /// - `session`: The session that the request is about; `nil` for a request without a session.
    /// - `file`: The body to send instead of the form.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, _ form: [(name: String, value: String)] = [], client: Secret?,
        session: String? = nil,
        query: [(name: String, value: String)] = [], file: HTTPBody? = nil
    ) async throws(AuthError) -> ClerkResponse {
        var pairs = [(name: "_is_native", value: "true")] + query
        if let session { pairs.append(("_clerk_session_id", session)) }
        var headers: HTTPHeaders = ["Accept": "application/json", "clerk-api-version": Self.version]
        if let client { headers["Authorization"] = client.reveal() }
        let request = HTTPRequest(
            method, configuration.url + "/v1" + (try path.text()), query: HTTPForm(pairs), headers: headers,
            body: file ?? (method == .get ? .none : .form(HTTPForm(form))), deadline: configuration.deadline)
        return ClerkResponse(try await wire.call(request, takesLists: true), sentBy: client)
    }

    /// Sends a request of a flow with this device's client; the client's token may change.
    ///
    /// - Throws: `flowNotFound` if Clerk rejects the client's token and the flow belongs to no session: the user must start again.
    func call(
        _ method: HTTPMethod, _ path: BackendPath, _ form: [(name: String, value: String)] = [], in flow: FlowMemory,
        query: [(name: String, value: String)] = []
    ) async throws(AuthError) -> ClerkResponse {
        let client = flow.client
        do {
            let answer = try await call(method, path, form, client: client, query: query)
            flow.client = answer.client
            return answer
        } catch  where error.code == .sessionRevoked {
            guard let session = flow.session, session.refreshToken == client else { throw error.lostAttempt }
            throw await verdict(on: session.id, client: session.refreshToken, after: error)
        }
    }
}

/// A successful response.
struct ClerkResponse: Sendable {
    private let answer: JSONResponse
    /// The client's token after the response: the token in the response, or else the previous one; `nil` if the
    /// response contains an empty one.
    let client: Secret?

    init(_ answer: JSONResponse, sentBy former: Secret?) {
        self.answer = answer
        let words = answer.headers["Authorization"].map { $0.pieces(at: " ") }
        client = words.map { $0.isEmpty || $0 == ["Bearer"] ? nil : Secret($0.joined(separator: " ")) } ?? former
    }

    var json: JSON { answer.json }
    var date: Instant? { answer.date }
    var request: HTTPRequest { answer.request }

    /// Returns the resource without its envelope.
    func resource() throws(AuthError) -> JSONObject {
        guard let object = json["response"]?.object else { throw ErrorMapping.incomplete("the resource") }
        return object
    }

    /// Returns a session in the snapshot of the client that the response contains.
    func session(_ id: String) -> JSON? {
        (json["client"]?["sessions"]?.array ?? []).first { $0["id"]?.string?.exact == id.exact }
    }

    /// Whether a user is signed in on the client of the snapshot.
    var hasUser: Bool { (json["client"]?["sessions"]?.array ?? []).contains { $0["status"]?.string == "active" } }

    /// Whether the client, which is the resource of this response, still has a session.
    ///
    /// A pending session has an open task, and has not ended.
    func isListed(_ id: String?) throws(AuthError) -> Bool {
        guard let client = json["response"] else { throw ErrorMapping.incomplete("the client") }
        guard client != .null else { return false }
        guard let sessions = client["sessions"]?.array else { throw ErrorMapping.incomplete("the client's sessions") }
        let status = sessions.first { $0["id"]?.string?.exact == id?.exact }?["status"]?.string
        return status == "active" || status == "pending"
    }
}
