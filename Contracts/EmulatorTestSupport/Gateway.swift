internal import LockstepCurl
public import LockstepEmulation
internal import LockstepHTTP
internal import LockstepPrimitives

/// A server that forwards all requests to your own server.
///
/// With a gateway, ``WireFaults`` and ``WireTrace`` work for your server as they do for an emulator. Give the gateway's URL to
/// the adapter, and the gateway's control panel to the controls. The clock and the outbox of that panel belong to the gateway,
/// not to your server.
///
/// ```swift
/// let gateway = try EmulatorServer { _ in Gateway(to: "http://127.0.0.1:8080") }
/// let trace = WireTrace(gateway.panel)
/// ```
public final class Gateway: Emulator {
    /// The name `gateway`.
    public static let provider = "gateway"
    /// One route that matches every request.
    public let router: Router

    /// Creates a gateway.
    ///
    /// - Parameter base: The URL of your server, without a slash at the end.
    public init(to base: String) {
        let transport = CurlTransport()
        var router = Router()
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
            router.on(
                method, "/{path...}",
                suspending: { request in try await Self.forwarded(request, to: base, over: transport) })
        }
        self.router = router
    }

    /// Does nothing, because a gateway has no state.
    public func reset() {}

    /// The header fields of a connection (RFC 9110, section 7.6.1), and the fields that the next connection sets itself.
    private static let ofTheConnection: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "accept-encoding",
    ]

    private static func forwarded(
        _ request: EmulatorRequest, to base: String, over transport: CurlTransport
    ) async throws -> EmulatorResponse {
        let type = request.headers["content-type"]
        let method = HTTPMethod(rawValue: request.method)
        var headers: HTTPHeaders = [:]
        for field in request.headers.fields
        where !ofTheConnection.contains(field.name.lowercased()) && field.name.lowercased() != "content-type" {
            headers.append(field.name, field.value)
        }
        let query = request.rawQuery.isEmpty ? "" : "?" + request.rawQuery
        let response = try await transport.send(
            HTTPRequest(
                method, base + request.rawPath + query, headers: headers,
                body: request.body.isEmpty ? .none : HTTPBody(request.body, type: type)))
        var answer = EmulatorResponse(status: response.status, body: response.body)
        for field in response.headers where !ofTheConnection.contains(field.name.lowercased()) {
            answer = answer.with(field.name, field.value)
        }
        return answer
    }
}
