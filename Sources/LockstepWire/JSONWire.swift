public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// Sends an adapter's requests and reads the responses: JSON, or an error from the adapter's table.
///
/// Each request is observed, so the client's events report it. No thrown error contains a secret that was sent, however
/// the backend quotes it.
public struct JSONWire<Errors: ErrorTable>: Sendable {
    private let transport: any HTTPTransport

    /// Creates a wire.
    ///
    /// - Parameter transport: The transport that sends the requests.
    public init(_ transport: some HTTPTransport) {
        self.transport = ObservedTransport(transport)
    }

    /// The executor of the transport.
    public var executor: (any TaskExecutor)? { transport.executor }

    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, which is a success.
    /// - Throws: The table's error if the backend rejects the request; `network`, `timedOut`, `cancelled` or
    ///   `invalidResponse` if there is no complete response.
    public func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw Errors.error(for: error)
        }
        guard response.isSuccess else {
            throw Errors.error(for: response, to: request).withholding(RequestSecrets(of: request), knownCode: Errors.isKnown)
        }
        return response
    }

    /// Sends a request whose response is a JSON object.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - takesLists: Whether a JSON array is accepted, too.
    /// - Returns: The response.
    /// - Throws: The errors of ``send(_:)``; `invalidResponse` if the body is not a JSON object.
    public func call(_ request: HTTPRequest, takesLists: Bool = false) async throws(AuthError) -> JSONResponse {
        let response = try await send(request)
        guard let json = try? response.json(), json.object != nil || takesLists && json.array != nil else {
            throw Errors.foreign(response, "a JSON object was expected")
        }
        return JSONResponse(json: json, headers: response.headers, request: request)
    }
}

/// A successful response.
public struct JSONResponse: Sendable {
    /// The body.
    public let json: JSON
    /// The headers.
    public let headers: HTTPHeaders
    /// The request.
    ///
    /// Its secrets are withheld from errors that quote the response.
    public let request: HTTPRequest

    /// The members of the body; empty if the body is an array.
    public var object: JSONObject { json.object ?? [:] }

    /// The response's `Date`.
    public var date: Instant? { headers["Date"].flatMap { Instant(httpDate: $0) } }
}

extension JSON {
    /// The text; `nil` if it is missing or empty.
    ///
    /// Servers write `""` for a missing value.
    public var filled: String? {
        guard let string, !string.isEmpty else { return nil }
        return string
    }
}
