internal import LockstepPrimitives

extension AuthClient {
    /// Sends a request of the app with the user's token, to a server that the app has listed (``Options/apiOrigins``).
    ///
    /// A 401 means one refresh, shared by all whose token was refused, and one more try; a second 401 is returned. It never signs
    /// the user out: only the provider can end a session. A token that another call has renewed meanwhile is used as it is.
    ///
    /// `send` must not follow a redirect to another origin with the `Authorization` field: return the 3xx, or drop the field.
    /// `URLSession` drops it by itself when the host changes; clients that copy all fields do not.
    ///
    /// ```swift
    /// let auth = AuthClient(…, options: .init(apiOrigins: [try WebOrigin("https://api.example")]))
    /// let answer = try await auth.authorized(AppRequest(url: "https://api.example/orders")) { request in
    ///     let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
    ///     return AppAnswer(status: (response as! HTTPURLResponse).statusCode, content: data)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: What to send; an `Authorization` field in it is replaced.
    ///   - send: Sends it with the app's HTTP client; called once or twice.
    /// - Throws: `invalidConfiguration` for an origin that is not listed and `invalidInput` for an address that no token may be
    ///   sent to (plain http to another machine, a user in it…), both before anything else; what ``accessToken()`` throws before
    ///   anything is sent, and what `send` throws.
    @concurrent
    public func authorized<Content: Sendable>(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppAnswer<Content>
    ) async throws -> AppAnswer<Content> {
        try checkOrigin(of: request)
        let (session, renewals) = try await call("authorized") { () async throws(AuthError) in
            try await self.validSessionAndRenewals()
        }
        let first = try await send(request.authorized(by: session))
        guard first.status == 401 else { return first }
        let renewed: Session
        do throws(AuthError) {
            renewed = try await call("authorized") { () async throws(AuthError) in
                try await self.session(serving: .otherThan(session.accessToken, since: renewals))
            }
        } catch {
            if error.code == .cancelled { throw error }
            // The token cannot be renewed now: the server's own answer is more informative.
            return first
        }
        guard renewed.user.id == session.user.id else { return first }
        return try await send(request.authorized(by: renewed))
    }
}
