public import LockstepPrimitives

extension AuthClient {
    /// Returns a valid access token, and refreshes it first if necessary.
    ///
    /// Any number of tasks can call it at the same time: there is one refresh, and all get its result. Cancelling one
    /// caller does not affect the others.
    ///
    /// - Returns: The access token.
    /// - Throws: `notSignedIn`. If the refresh failed and the session stays: `network`, `timedOut`, `serverUnavailable`,
    ///   `tooManyRequests`, `invalidResponse`. If the session has ended: `sessionRevoked`, `userDeleted`, and others.
    public func accessToken() async throws(AuthError) -> Secret {
        if let session = sessions.usableSession { return session.accessToken }
        return try await renewedToken()
    }

    @concurrent
    private func renewedToken() async throws(AuthError) -> Secret {
        try await sessions.call("accessToken") { () async throws(AuthError) in try await sessions.validSession().accessToken }
    }

    /// Waits until the client's background work has finished: ending replaced sessions, and sending sign-outs that have
    /// not reached the backend.
    ///
    /// A command-line tool calls it before it exits. The next launch sends what is left. It returns by the client's
    /// deadline.
    @concurrent
    public func settle() async { await context.settle() }

    /// Returns the session if it meets a requirement.
    ///
    /// Call it for features that need a user.
    ///
    /// - Parameter requirement: The requirement. Default: any session.
    /// - Returns: The session, with a valid access token.
    /// - Throws: `notSignedIn`; `verificationRequired` with the challenge as its remedy, or for an anonymous user with
    ///   the remedy to link; `secondFactorRequired`; and the errors of ``accessToken()``.
    @concurrent
    public func session(requiring requirement: SessionRequirement = .any) async throws(AuthError) -> Session {
        try await session(requiring: [requirement])
    }

    /// Returns the session if it meets all of several requirements.
    ///
    /// ```swift
    /// let session = try await client.session(requiring: [.verified, .secondFactor])
    /// ```
    ///
    /// - Parameter requirements: The requirements.
    /// - Returns: The session, with a valid access token.
    /// - Throws: The error of the first requirement that is not met. The verification of the email address comes before
    ///   the second factor.
    @concurrent
    public func session(requiring requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        try await sessions.call("session") { () async throws(AuthError) in try await sessions.session(meeting: requirements) }
    }

    /// Reloads the user from the backend.
    ///
    /// - Returns: The user.
    /// - Throws: The errors of ``accessToken()``.
    @concurrent
    @discardableResult
    public func refreshUser() async throws(AuthError) -> User {
        try await sessions.call("refreshUser") { () async throws(AuthError) in try await sessions.reloadedUser() }
    }

    /// Signs out: immediately on this device, also without a network, and at the backend if it is reachable.
    ///
    /// - Parameters:
    ///   - scope: The sessions to end. `others` keeps the current session. Default: the current session.
    ///   - discardingAnonymousUser: Whether an anonymous account may be lost, which a sign-out does. Default: `false`.
    /// - Throws: `anonymousUserWouldBeLost`; `unsupported` if the adapter does not support the scope; for `others` and
    ///   `everywhere`, the backend's error, although the device is signed out; `storeUnavailable` if the store could not
    ///   be cleared.
    @concurrent
    public func signOut(_ scope: SignOutScope = .local, discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await sessions.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Sends an app's request with the user's token to one of the app's own servers (``Options/apiOrigins``).
    ///
    /// After a 401, the token is refreshed once for all callers whose token was rejected, and the request is sent again.
    /// A second 401 is returned. It never signs the user out, because only the provider can end a session. If another
    /// call has refreshed the token in the meantime, the new token is used.
    ///
    /// `send` must not follow a redirect to another origin with the `Authorization` header. Return the 3xx response, or
    /// remove the header. `URLSession` removes it when the host changes; clients that copy all headers do not.
    ///
    /// ```swift
    /// let auth = AuthClient(
    ///     adapter: adapter, store: store, options: .init(apiOrigins: [try WebOrigin("https://api.example")]))
    /// let answer = try await auth.authorized(AppRequest(url: "https://api.example/orders")) { request in
    ///     try await myClient.send(request)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. Its `Authorization` header is replaced.
    ///   - send: Sends the request with the app's HTTP client. It is called once or twice.
    /// - Returns: The response of `send`.
    /// - Throws: `invalidConfiguration` if the origin is not listed, and `invalidInput` if no token may be sent to the
    ///   URL, such as plain http to another machine. Also the errors of ``accessToken()`` before anything is sent, and
    ///   the errors of `send`.
    @concurrent
    public func authorized<Content: Sendable>(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<Content>
    ) async throws -> AppResponse<Content> {
        try await sessions.authorized(request, by: send)
    }
}
