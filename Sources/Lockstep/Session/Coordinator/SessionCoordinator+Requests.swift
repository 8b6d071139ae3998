internal import LockstepPrimitives

extension SessionCoordinator {
    /// Sends a request of the app with the user's token; see ``AuthClient/authorized(_:by:)``.
    func authorized<Content: Sendable>(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<Content>
    ) async throws -> AppResponse<Content> {
        try checkOrigin(of: request)
        let (session, renewals) = try await call("authorized") { () async throws(AuthError) in
            (try await self.session(meeting: [.any]), self.renewals)
        }
        let first = try await send(request.authorized(by: session))
        guard first.status == 401 else { return first }
        let renewed: Session
        do throws(AuthError) {
            renewed = try await call("authorized") { () async throws(AuthError) in
                try await self.session(satisfying: .otherThan(session.accessToken, since: renewals))
            }
        } catch {
            if error.code == .cancelled { throw error }
            // The token cannot be renewed now, and the server's own response says more than an error would.
            return first
        }
        guard renewed.user.id.exact == session.user.id.exact, options.unverifiedUsers.take(renewed) else { return first }
        return try await send(request.authorized(by: renewed))
    }

    /// Rejects a request of the app that would send the user's token to a server that the app has not listed.
    ///
    /// - Throws: `invalidInput` if no token may be sent to the URL; `invalidConfiguration` if its origin is not listed.
    private func checkOrigin(of request: AppRequest) throws(AuthError) {
        let origin: WebOrigin
        do throws(WebOrigin.Flaw) {
            origin = try WebOrigin.of(url: request.url)
        } catch {
            throw AuthError(
                .invalidInput,
                "The request was not sent, because the user's token must not be sent to this address: \(error.sentence).")
        }
        guard options.apiOrigins.contains(origin) else {
            throw AuthError(
                .invalidConfiguration,
                "The user's token is not sent to \(origin), because the app has not listed it. If it is your server, add "
                    + "try WebOrigin(\"\(origin)\") to apiOrigins of AuthClient.Options.")
        }
    }
}

/// A request from an app to its own server, as a plain value that any HTTP client can send.
///
/// ```swift
/// var request = AppRequest(method: "POST", url: "https://api.example/orders", body: Array("{}".utf8))
/// request.headers.append(AppRequest.Field("Content-Type", "application/json"))
/// ```
public struct AppRequest: Sendable, Hashable {
    /// A header field.
    ///
    /// If the field contains a token, its value is never printed.
    public struct Field: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The name, in upper or lower case.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name, in upper or lower case.
        ///   - value: The value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// The field as text that is safe to log.
        public var description: String {
            let isSecret = ["authorization", "proxy-authorization", "cookie", "apikey"].contains(name.lowercased())
            return "\(name): \(isSecret ? "<redacted>" : value)"
        }

        /// The content that `dump` prints, which is safe to log.
        public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
    }

    /// The method, such as `GET`.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// The header fields, in order.
    public var headers: [Field]
    /// The body; empty if the request has no body.
    public var body: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method. Default: `GET`.
    ///   - url: The absolute URL.
    ///   - headers: The header fields, in order. Default: none.
    ///   - body: The body. Default: none.
    public init(method: String = "GET", url: String, headers: [Field] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Returns the value of a header field.
    ///
    /// - Parameter name: The name, in upper or lower case.
    /// - Returns: The value; `nil` if the request has no such field.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns the request with the session's access token.
    func authorized(by session: Session) -> AppRequest {
        var copy = self
        copy.headers.removeAll { $0.name.lowercased() == "authorization" }
        copy.headers.append(Field("Authorization", "Bearer \(session.accessToken.reveal())"))
        return copy
    }
}

/// The response of the app's server to an ``AppRequest``.
///
/// ```swift
/// let response = AppResponse(status: 200, content: "{}")
/// ```
public struct AppResponse<Content: Sendable>: Sendable {
    /// The HTTP status.
    ///
    /// The status 401 means that the server rejects the token.
    public var status: Int
    /// The response as the app's HTTP client returned it.
    public var content: Content

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - content: The response as the app's HTTP client returned it.
    public init(status: Int, content: Content) {
        self.status = status
        self.content = content
    }
}
