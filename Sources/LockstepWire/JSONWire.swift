public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// A sender of an adapter's requests, which returns JSON or an error from the adapter's table.
///
/// The client's events report each request. No thrown error contains a secret that was sent, even if the backend repeats it.
public struct JSONWire<Errors: ErrorTable>: Sendable {
    private let transport: any HTTPTransport

    /// Creates a value that sends requests with a transport.
    public init(_ transport: some HTTPTransport) {
        self.transport = ObservedTransport(transport)
    }

    /// The executor of the transport.
    public var executor: (any TaskExecutor)? { transport.executor }

    /// Sends a request, and returns the response if its status is a success.
    ///
    /// - Returns: The successful response.
    /// - Throws: The error from the table if the backend rejects the request; `network`, `timedOut`, `cancelled` or
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

    /// Sends a request, and returns the response if its body is a JSON object.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - takesLists: Whether a JSON array is also accepted.
    /// - Throws: The errors of ``send(_:)``; `invalidResponse` if the body is not a JSON object.
    public func call(_ request: HTTPRequest, takesLists: Bool = false) async throws(AuthError) -> JSONResponse {
        let response = try await send(request)
        guard let json = try? response.json(), json.object != nil || takesLists && json.array != nil else {
            throw Errors.foreign(response, "a JSON object was expected")
        }
        return JSONResponse(json: json, headers: response.headers, request: request)
    }
}

/// A successful response with a JSON body.
public struct JSONResponse: Sendable {
    /// The body of the response.
    public let json: JSON
    /// The header fields of the response.
    public let headers: HTTPHeaders
    /// The request that was sent.
    ///
    /// Errors that quote the response do not contain the secrets of this request.
    public let request: HTTPRequest

    /// The members of the body; empty if the body is an array.
    public var object: JSONObject { json.object ?? [:] }

    /// The date in the response's header `Date`.
    public var date: Instant? { headers["Date"].flatMap { Instant(httpDate: $0) } }
}

extension JSON {
    /// The string; `nil` if the value is not a string, or is empty.
    ///
    /// Some servers write `""` for a missing value.
    public var filled: String? {
        guard let string, !string.isEmpty else { return nil }
        return string
    }
}
