public import LockstepPrimitives

extension AuthClient {
    /// An access token that is valid now, refreshed where it must be.
    ///
    /// Any number of tasks may ask at once: there is one refresh, and all get its result. A caller that is cancelled cancels
    /// only itself.
    ///
    /// - Throws: `notSignedIn`; `network`, `timedOut`, `serverUnavailable`, `tooManyRequests`, `invalidResponse` when the
    ///   refresh failed and the session stays; a verdict (`sessionRevoked`, `userDeleted`…) when the session has ended.
    public func accessToken() async throws(AuthError) -> Secret {
        if let session = sessions.usableSession { return session.accessToken }
        return try await renewedToken()
    }

    @concurrent
    private func renewedToken() async throws(AuthError) -> Secret {
        try await sessions.call("accessToken") { () async throws(AuthError) in try await sessions.validSession().accessToken }
    }

    /// Waits until the work that the client does behind your calls has ended: the end of sessions that sign-ins have replaced, and of
    /// sign-outs that had not reached the backend.
    ///
    /// A command-line tool calls it before it exits. What is left then is sent by the next launch. It returns by the client's deadline.
    @concurrent
    public func settle() async { await context.settle() }

    /// The session, for features that need one.
    ///
    /// - Throws: `notSignedIn`, `verificationRequired` (with the challenge as remedy; for a guest, to link), `secondFactorRequired`,
    ///   and what ``accessToken()`` throws.
    @concurrent
    public func session(requiring requirement: SessionRequirement = .any) async throws(AuthError) -> Session {
        try await session(requiring: [requirement])
    }

    /// The session, for features with several requirements: all of them are met, or the call throws.
    ///
    /// ```swift
    /// let session = try await client.session(requiring: [.verified, .secondFactor])
    /// ```
    ///
    /// - Throws: as for one requirement, by the first that is not met: the proof of the address is asked for before the second
    ///   factor.
    @concurrent
    public func session(requiring requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        try await sessions.call("session") { () async throws(AuthError) in try await sessions.session(meeting: requirements) }
    }

    /// Reloads the user from the backend and returns the session.
    ///
    /// - Throws: what ``accessToken()`` throws.
    @concurrent
    @discardableResult
    public func refreshUser() async throws(AuthError) -> User {
        try await sessions.call("refreshUser") { () async throws(AuthError) in try await sessions.reloadedUser() }
    }

    /// Signs out: on this device at once, also without a network; at the backend as far as it can be reached.
    ///
    /// - Parameters:
    ///   - scope: `others` leaves this session as it is.
    ///   - discardingAnonymousUser: A guest's account is lost when it is signed out; this says that it may be.
    /// - Throws: `anonymousUserWouldBeLost`; `unsupported` for a scope that the adapter does not have; for `others` and `everywhere` the
    ///   backend's error, with the device signed out all the same; `storeUnavailable` where the store could not be cleared.
    @concurrent
    public func signOut(_ scope: SignOutScope = .local, discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await sessions.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Sends a request of the app with the user's token, to a server that the app has listed (``Options/apiOrigins``).
    ///
    /// A 401 means one refresh, shared by all whose token was refused, and one more try; a second 401 is returned. It never signs
    /// the user out: only the provider can end a session. A token that another call has renewed meanwhile is used as it is.
    ///
    /// `send` must not follow a redirect to another origin with the `Authorization` field: return the 3xx, or drop the field.
    /// `URLSession` drops it by itself when the host changes; clients that copy all fields do not.
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
    ///   - request: What to send; an `Authorization` field in it is replaced.
    ///   - send: Sends it with the app's HTTP client; called once or twice.
    /// - Throws: `invalidConfiguration` for an origin that is not listed and `invalidInput` for an address that no token may be
    ///   sent to (plain http to another machine, a user in it…), both before anything else; what ``accessToken()`` throws before
    ///   anything is sent, and what `send` throws.
    @concurrent
    public func authorized<Content: Sendable>(
        _ request: AppRequest, by send: @Sendable (AppRequest) async throws -> AppResponse<Content>
    ) async throws -> AppResponse<Content> {
        try await sessions.authorized(request, by: send)
    }
}
