internal import Synchronization

extension AuthClient {
    /// Returns the ways to sign in that are available now, in the adapter's order.
    ///
    /// A screen can offer these.
    ///
    /// If an anonymous user is signed in, a sign-in adds the way to that user, and not every way can be added; see
    /// ``AccountClient/waysToLink``.
    ///
    /// - Parameter discardingAnonymousUser: Whether the sign-in discards the anonymous user. Default: `false`.
    /// - Returns: The ways to sign in.
    public func waysToSignIn(discardingAnonymousUser: Bool = false) -> [Capability] {
        if case .anonymous = state, !discardingAnonymousUser { return account.waysToLink }
        return context.adapter.signIn.capabilities(taking: .signIn)
    }

    /// The ways to sign up that are available now, in the adapter's order.
    ///
    /// If an anonymous user is signed in, a sign-up adds the way to that user.
    public var waysToSignUp: [Capability] {
        if case .anonymous = state { return account.waysToLink }
        return context.adapter.signIn.capabilities(taking: .signUp(SignUpProfile()))
    }

    /// Creates a new account.
    ///
    /// If an anonymous user is signed in and the provider supports it, that user becomes the account and keeps the user
    /// id. If the name cannot be set afterwards, the event `profile.update-failed` reports it. Then the session has no
    /// name, and `account.update` sets it.
    ///
    /// - Parameters:
    ///   - credential: The credential, such as `.password(email:password:)`.
    ///   - displayName: The display name. Default: none.
    ///   - metadata: Members of the user's own metadata (``User/metadata``). Users can change them, so a server must never
    ///     grant anything by them. Default: none.
    /// - Returns: The session, or the next step. Most backends require the verification of the email address first.
    /// - Throws: `invalidEmail`, `weakPassword`, `emailAlreadyInUse` (if the backend reveals it), `notEnabled`,
    ///   `unsupported` (before any request, also for metadata that the backend or the credential cannot carry), and others. With `messageNotSent` the account exists: the same call again, or a sign-in, sends
    ///   the message. If the call created the account before it failed, ``AuthError/completed`` says so, and the same
    ///   call continues from there.
    @concurrent
    public func signUp<C: Credential>(
        with credential: C, displayName: String? = nil, metadata: JSONObject = [:]
    ) async throws(AuthError) -> SignInStep {
        try await flows.signUp(with: credential, displayName: displayName, metadata: metadata)
    }

    /// Signs in.
    ///
    /// If an anonymous user is signed in and the provider supports it, the credential is linked to that user. Any other
    /// session is replaced. To add a credential to a permanent user, call `account.link`.
    ///
    /// The sign-in takes effect immediately, even if the store cannot be written. ``persistence`` says whether a relaunch
    /// will find the session.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: `invalidCredentials`, `userDisabled`, `notEnabled`, `unsupported`, `anonymousUserWouldBeLost`, and others. Then
    ///   state and store are unchanged.
    @concurrent
    public func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: false)
    }

    /// Signs in.
    ///
    /// For an anonymous user, it can replace the user instead of linking the credential.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - discardingAnonymousUser: Whether to sign in to the credential's own account. When the sign-in succeeds, the anonymous
    ///     account is lost; until then it stays.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``signIn(with:)``.
    @concurrent
    public func signIn<C: Credential>(with credential: C, discardingAnonymousUser: Bool) async throws(AuthError) -> SignInStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Requests the message with which the user replaces a forgotten password.
    ///
    /// Continue with ``respond(to:with:)`` or ``handle(_:)``: first the verification, then the new password, then the
    /// session. If the backend has its own web page for the new password, ``Challenge/ending`` says so, and the user
    /// signs in afterwards.
    ///
    /// - Parameter email: The email address of the account.
    /// - Returns: The next step.
    /// - Throws: `invalidEmail`, `unsupported`, `tooManyRequests`, `messageNotSent`, and others.
    @concurrent
    public func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        try await flows.requestPasswordReset(email: email)
    }

    // MARK: The flow in progress

    /// Continues a flow.
    ///
    /// A step accepts ten codes. After ten wrong codes it rejects every further code as `codeExpired`, without a request.
    /// Then send a new message (``resend(_:)``) or start the flow again.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - response: The user's response, such as `.code("123456")`.
    /// - Returns: The session, or the next step.
    /// - Throws: `flowAbandoned`, `flowNotFound`, or `responseNotAccepted` before any request; `invalidCode`,
    ///   `codeExpired`, `notConfirmedYet`, and others. With the last three, the flow stays, and a correct response still
    ///   works.
    @concurrent
    public func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep {
        try await flows.respond(to: flow, with: response)
    }

    /// Sends the link or code of a flow again.
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The new challenge.
    /// - Throws: `tooManyRequests` with the remaining time before ``Challenge/resendAvailableAt``, without a request;
    ///   `messageNotSent`.
    @concurrent
    @discardableResult
    public func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await flows.resend(flow)
    }

    /// Returns the time until the message of the current flow can be sent again, for a countdown.
    ///
    /// ``resend(_:)`` uses the same time.
    ///
    /// Changes of the device's clock and sleep do not affect it.
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The time; zero if the message can be sent, `nil` if it never can or if the flow is not the current one.
    public func timeToResend(_ flow: Flow) -> Duration? {
        guard let record = context.state.withLock({ $0.flows.pending }), record.memory.flow.id == flow.id else { return nil }
        return record.timeToResend(on: context.effects.clock).map { max($0, .zero) }
    }

    /// Cancels a flow.
    ///
    /// An existing session stays.
    ///
    /// - Parameter flow: The flow.
    /// - Throws: `flowNotFound`, or an error of the store.
    @concurrent
    public func cancel(_ flow: Flow) async throws(AuthError) {
        try await flows.cancel(flow)
    }

    /// Handles a URL that opened the app.
    ///
    /// Call it with every URL: one for something else has no effect, and the outcome says so. A URL that launched the app
    /// waits until the store has been read. If the same URL arrives twice, even at the same time, it is exchanged once,
    /// with one result, as long as that result is valid. After a sign-out, or for another user, the backend is asked
    /// again.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The outcome.
    @concurrent
    public func handle(_ url: String) async -> CallbackOutcome {
        await flows.handle(url)
    }
}
