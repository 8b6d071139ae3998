public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives

/// Sends an adapter's requests and reads the answers: JSON, or an error of the adapter's table.
///
/// Each request is observed, so that the client's events tell it, and no thrown error contains a secret that was sent, however the
/// backend quotes it.
public struct JSONWire<Errors: ErrorTable>: Sendable {
    private let transport: any HTTPTransport

    /// A wire that sends with `transport`.
    public init(_ transport: some HTTPTransport) {
        self.transport = ObservedTransport(transport)
    }

    /// The thread of the transport underneath.
    public var executor: (any TaskExecutor)? { transport.executor }

    /// Sends a request.
    ///
    /// - Returns: the answer as it came, which is no refusal.
    /// - Throws: the table's error for a refusal; `network`, `timedOut`, `cancelled`, `invalidResponse` where no answer came.
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

    /// Sends a request whose answer is a JSON object.
    ///
    /// - Parameter takesLists: whether a JSON array is an answer, too.
    /// - Throws: as ``send(_:)``; `invalidResponse` for an answer that is none.
    public func call(_ request: HTTPRequest, takesLists: Bool = false) async throws(AuthError) -> JSONResponse {
        let response = try await send(request)
        guard let json = try? response.json(), json.object != nil || takesLists && json.array != nil else {
            throw Errors.foreign(response, "a JSON object was expected")
        }
        return JSONResponse(json: json, headers: response.headers, request: request)
    }
}

/// A successful answer.
public struct JSONResponse: Sendable {
    /// The body.
    public let json: JSON
    /// The headers.
    public let headers: HTTPHeaders
    /// The request, whose secrets are withheld from errors that quote the answer.
    public let request: HTTPRequest

    /// The body's members; none where it is a list.
    public var object: JSONObject { json.object ?? [:] }

    /// The server's date.
    public var date: Instant? { headers["Date"].flatMap { Instant(httpDate: $0) } }
}

extension JSON {
    /// The text; `nil` where it is missing or empty: servers write `""` for what is not there.
    public var filled: String? {
        guard let string, !string.isEmpty else { return nil }
        return string
    }
}
