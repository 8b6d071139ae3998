public import LockstepPrimitives

extension AuthClient {
    /// Returns a valid access token, and refreshes the token first if necessary.
    ///
    /// Any number of tasks can call this method at the same time. The client sends one refresh, and all callers get its
    /// result. If one caller is cancelled, the others are not affected.
    ///
    /// ```swift
    /// let token = try await client.accessToken()
    /// print("Bearer \(token)")                     // prints no secret; `reveal()` returns the text
    /// ```
    ///
    /// - Returns: The access token.
    /// - Throws: `notSignedIn`; `verificationRequired` with the challenge if the user's email address is not verified yet
    ///   (``AuthClient/UnverifiedUsers``). If the refresh failed but the session stays: `network`, `timedOut`,
    ///   `serverUnavailable`, `tooManyRequests` or `invalidResponse`. If the session has ended: `sessionRevoked`,
    ///   `userDeleted`, and others.
    public func accessToken() async throws(AuthError) -> Secret {
        if let session = sessions.usableSession { return session.accessToken }
        return try await renewedToken()
    }

    @concurrent
    private func renewedToken() async throws(AuthError) -> Secret {
        try await sessions.call("accessToken") { () async throws(AuthError) in
            try await sessions.session(meeting: [.any]).accessToken
        }
    }

    /// Waits until the client has finished its background work.
    ///
    /// In the background, the client ends replaced sessions on the backend, and sends sign-outs that did not reach the backend.
    /// A command-line tool calls this method before it exits. The method waits at most for ``Options/deadline``. The client
    /// sends the remaining sign-outs after the next launch.
    @concurrent
    public func settle() async { await sessions.settle() }

    /// Returns the session if it meets a requirement.
    ///
    /// Call this method before a feature that needs a user.
    ///
    /// - Parameter requirement: The requirement. Default: any session.
    /// - Returns: The session, with a valid access token.
    /// - Throws: `notSignedIn`; `verificationRequired` (the remedy is the challenge; for an anonymous user, it is to link a
    ///   credential); `secondFactorRequired`; and the errors of ``accessToken()``.
    @concurrent
    public func session(requiring requirement: SessionRequirement = .any) async throws(AuthError) -> Session {
        try await session(requiring: [requirement])
    }

    /// Returns the session if it meets all the given requirements.
    ///
    /// ```swift
    /// let session = try await client.session(requiring: [.verified, .secondFactor])
    /// ```
    ///
    /// - Parameter requirements: The requirements.
    /// - Returns: The session, with a valid access token.
    /// - Throws: The error of the first requirement that the session does not meet. The client checks the verification
    ///   of the email address before the second factor.
    @concurrent
    public func session(requiring requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        try await sessions.call("session") { () async throws(AuthError) in try await sessions.session(meeting: requirements) }
    }

    /// Reloads the user from the backend.
    ///
    /// ```swift
    /// let user = try await client.refreshUser()
    /// print(user.isEmailVerified)
    /// ```
    ///
    /// - Returns: The user.
    /// - Throws: The errors of ``accessToken()``.
    @concurrent
    @discardableResult
    public func refreshUser() async throws(AuthError) -> User {
        try await sessions.call("refreshUser") { () async throws(AuthError) in try await sessions.reloadedUser() }
    }

    /// Signs out on this device immediately, and on the backend if it is reachable.
    ///
    /// The user is signed out on this device even without a network.
    ///
    /// ```swift
    /// try await client.signOut()                   // this device
    /// try await client.signOut(.everywhere)        // all devices of the user
    /// ```
    ///
    /// - Parameters:
    ///   - scope: The sessions to end. `others` keeps the current session. Default: the current session.
    ///   - discardingAnonymousUser: Whether to sign out an anonymous user. The anonymous account is then lost. Default: `false`.
    /// - Throws: `anonymousUserWouldBeLost`; `unsupported` if the adapter does not support the scope; `storeUnavailable` if the
    ///   store could not be cleared. For `others` and `everywhere`, the call also throws the backend's error. With
    ///   `everywhere`, the client signs out this device even if the backend returns an error.
    @concurrent
    public func signOut(_ scope: SignOutScope = .local, discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await sessions.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Sends a request with the user's token to one of the app's own servers (``Options/apiOrigins``).
    ///
    /// If the server responds with 401, the client refreshes the token and sends the request again. If several callers
    /// get a 401 for the same token, the client refreshes once for all of them. If the server responds with 401 again,
    /// the call returns that response. A 401 never signs the user out, because only the provider can end a session.
    ///
    /// If `send` follows a redirect to another origin, it must remove the `Authorization` header. Alternatively, `send` can
    /// return the 3xx response. `URLSession` removes the header if the host changes, but an HTTP client that copies all headers
    /// does not.
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
    ///   - request: The request. The client replaces its `Authorization` header.
    ///   - send: A function that sends the request with the app's HTTP client. The client calls this function once or twice.
    /// - Returns: The response of `send`.
    /// - Throws: `invalidConfiguration` if the origin is not in ``Options/apiOrigins``; `invalidInput` if the client
    ///   must not send a token to the URL, for example over plain http to another machine; the errors of
    ///   ``accessToken()``, before any request; the errors of `send`.
    @concurrent
    public func authorized<Content: Sendable>(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<Content>
    ) async throws -> AppResponse<Content> {
        try await sessions.authorized(request, by: send)
    }
}

extension AuthClient {
    /// Whether an app gets the tokens of users with an unverified email address (``AuthState/unverified(_:)``).
    ///
    /// GoTrue and Clerk create a session only after the verification. Firebase creates it before. With the default, the
    /// same app does not let such a user in on any of them.
    ///
    /// ```swift
    /// let auth = AuthClient(adapter: adapter, store: store, options: .init(unverifiedUsers: .allowed))
    /// ```
    public enum UnverifiedUsers: Sendable, Hashable {
        /// `accessToken`, `authorized` and `session(requiring:)` throw `verificationRequired` with the challenge.
        ///
        /// The other calls of the client still work, such as a new message, a change of the address or a sign-out.
        /// Anonymous users, and users without an email address, are not unverified.
        case rejected
        /// If the backend has created a session, the app gets its token. Your server must check whether the address is
        /// verified.
        case allowed

        /// Whether the app gets the token of this session.
        func take(_ session: Session) -> Bool { self == .allowed || session.user.standing != .unverified }
    }
}
