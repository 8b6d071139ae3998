internal import Synchronization

extension AuthClient {
    /// Returns the sign-in methods that are available now, in the adapter's order.
    ///
    /// A sign-in screen can offer these methods.
    ///
    /// If an anonymous user is signed in, a sign-in adds the credential to that user. In that case the list contains only
    /// the credentials that the user can add; see ``AccountClient/linkMethods``.
    ///
    /// ```swift
    /// if client.signInMethods().contains(.passkey) { print("show the passkey button") }
    /// ```
    ///
    /// - Parameter discardingAnonymousUser: Whether the sign-in discards the anonymous user. Default: `false`.
    /// - Returns: The sign-in methods.
    public func signInMethods(discardingAnonymousUser: Bool = false) -> [Capability] {
        if case .anonymous = state, !discardingAnonymousUser { return account.linkMethods }
        return context.adapter.signIn.capabilities(for: .signIn)
    }

    /// The sign-up methods that are available now, in the adapter's order.
    ///
    /// If an anonymous user is signed in, a sign-up adds the credential to that user.
    public var signUpMethods: [Capability] {
        if case .anonymous = state { return account.linkMethods }
        return context.adapter.signIn.capabilities(for: .signUp(SignUpProfile()))
    }

    /// Creates a new account.
    ///
    /// If an anonymous user is signed in and the provider supports it, the anonymous account becomes the permanent
    /// account. The user id stays the same. If the client cannot set the display name afterwards, it reports the event
    /// `profile.update-failed`, and the user has no name. In that case set the name with `account.update`.
    ///
    /// ```swift
    /// let step = try await client.signUp(with: .password(email: "ada@example.com", password: password), displayName: "Ada")
    /// if case .verify(let challenge) = step { print("sent to \(challenge.destination)") }
    /// ```
    ///
    /// - Parameters:
    ///   - credential: The credential, such as `.password(email:password:)`.
    ///   - displayName: The display name. Default: none.
    ///   - metadata: Members of the user's own metadata (``User/metadata``). Users can change these members, so a server
    ///     must never grant rights based on them. Default: none.
    /// - Returns: The session, or the next step. Most backends require the verification of the email address first.
    /// - Throws: `invalidEmail`, `weakPassword`, `emailAlreadyInUse` (if the backend reveals it), `notEnabled`,
    ///   `unsupported` (before any request, also if the backend or this type of credential accepts no metadata), and
    ///   others. After `messageNotSent` the account exists: repeat the call, or sign in, to send the message again. If
    ///   the call failed after it had created the account, ``AuthError/completed`` is not empty. Repeat the same call
    ///   to continue after the completed parts.
    @concurrent
    public func signUp<C: Credential>(
        with credential: C, displayName: String? = nil, metadata: JSONObject = [:]
    ) async throws(AuthError) -> AuthStep {
        try await flows.signUp(with: credential, displayName: displayName, metadata: metadata)
    }

    /// Creates a new account with an email address and a password.
    ///
    /// The call is the same as ``signUp(with:displayName:metadata:)`` with `.password(email:password:)`.
    ///
    /// ```swift
    /// let step = try await client.signUp(email: "ada@example.com", password: typed)
    /// if case .verify(let challenge) = step { print("sent to \(challenge.destination)") }
    /// ```
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password, exactly as the user typed it.
    ///   - displayName: The display name. Default: none.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``signUp(with:displayName:metadata:)``.
    @concurrent
    public func signUp(
        email: String, password: String, displayName: String? = nil
    ) async throws(AuthError) -> AuthStep {
        try await signUp(with: .password(email: email, password: password), displayName: displayName)
    }

    /// Signs in with an email address and a password.
    ///
    /// The call is the same as ``signIn(with:)`` with `.password(email:password:)`.
    ///
    /// ```swift
    /// let step = try await client.signIn(email: "ada@example.com", password: typed)
    /// if let session = step.session { print("signed in as \(session.user.id)") }
    /// ```
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password, exactly as the user typed it.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``signIn(with:)``.
    @concurrent
    public func signIn(email: String, password: String) async throws(AuthError) -> AuthStep {
        try await signIn(with: .password(email: email, password: password))
    }

    /// Signs in.
    ///
    /// If an anonymous user is signed in and the provider supports it, the client adds the credential to that user. If
    /// another user is signed in, the new session replaces the old session. To add a credential to a permanent user, call
    /// `account.link`.
    ///
    /// The sign-in takes effect immediately, even if the store cannot be written. Read ``persistence`` to learn whether
    /// a relaunch will find the session.
    ///
    /// ```swift
    /// let step = try await client.signIn(with: .password(email: "ada@example.com", password: password))
    /// if let session = step.session { print("signed in as \(session.user.id)") }
    /// ```
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session, or the next step.
    /// - Throws: `invalidCredentials`, `userDisabled`, `notEnabled`, `unsupported`, `anonymousUserWouldBeLost`, and
    ///   others. After an error, the state and the store are unchanged.
    @concurrent
    public func signIn<C: Credential>(with credential: C) async throws(AuthError) -> AuthStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: false)
    }

    /// Signs in, and can replace an anonymous user.
    ///
    /// By default, the client adds the credential to the anonymous user, as ``signIn(with:)`` does.
    ///
    /// ```swift
    /// let step = try await client.signIn(with: .emailCode("ada@example.com"), discardingAnonymousUser: true)
    /// print(step.accepts)
    /// ```
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - discardingAnonymousUser: Whether to sign in to the account that the credential belongs to. If the sign-in
    ///     succeeds, the anonymous account is lost. Until then, the anonymous user stays signed in.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``signIn(with:)``.
    @concurrent
    public func signIn<C: Credential>(with credential: C, discardingAnonymousUser: Bool) async throws(AuthError) -> AuthStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Starts a password reset.
    ///
    /// The backend then sends a message to the user.
    ///
    /// Continue with ``respond(to:with:)`` or ``handle(_:)``. The user first verifies the email address, then sets a
    /// new password, and is then signed in. Some backends ask for the new password on their own web page. In that case
    /// ``Challenge/ending`` is set, and the user signs in afterwards.
    ///
    /// ```swift
    /// let step = try await client.requestPasswordReset(email: "ada@example.com")
    /// if step.challenge?.ending == .webPage { print("Set a new password on the page, then sign in.") }
    /// ```
    ///
    /// - Parameter email: The email address of the account.
    /// - Returns: The next step.
    /// - Throws: `invalidEmail`, `unsupported`, `tooManyRequests`, `messageNotSent`, and others.
    @concurrent
    public func requestPasswordReset(email: String) async throws(AuthError) -> AuthStep {
        try await flows.requestPasswordReset(email: email)
    }

    // MARK: The flow in progress

    /// Continues a flow with the user's response.
    ///
    /// A user can enter ten codes for a step. After ten wrong codes, the client rejects every further code with
    /// `codeExpired` and sends no request. In that case send a new message (``resend(_:)``) or start the flow again.
    ///
    /// ```swift
    /// do {
    ///     let step = try await client.respond(to: flow, with: .code("123456"))
    ///     print(step.session == nil ? "one more step" : "signed in")
    /// } catch {
    ///     guard error.code == .invalidCode else { throw error }
    ///     print("This code is wrong. Try again.")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - flow: The flow of the current step.
    ///   - response: The user's response, such as `.code("123456")`.
    /// - Returns: The session, or the next step.
    /// - Throws: `flowAbandoned`, `flowNotFound`, or `responseNotAccepted` before any request; `invalidCode`, `codeExpired`,
    ///   `notConfirmedYet`, and others. After `invalidCode`, `codeExpired` or `notConfirmedYet` the flow stays open, and a
    ///   correct response still works.
    @concurrent
    public func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> AuthStep {
        try await flows.respond(to: flow, with: response)
    }

    /// Sends the link or code of a flow again.
    ///
    /// ```swift
    /// let challenge = try await client.resend(flow)
    /// print("sent again to \(challenge.destination)")
    /// ```
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The new challenge.
    /// - Throws: `tooManyRequests` with the remaining time if you call the method before ``Challenge/resendAvailableAt``
    ///   (the client then sends no request); `messageNotSent` if the server could not send the message.
    @concurrent
    @discardableResult
    public func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await flows.resend(flow)
    }

    /// Returns the remaining time until the message of the current flow can be sent again, for a countdown.
    ///
    /// ``resend(_:)`` checks the same time. The time is correct even if the device's clock is changed or the device
    /// sleeps.
    ///
    /// - Parameter flow: The flow.
    /// - Returns: The remaining time; zero if the message can be sent now; `nil` if the message can never be sent again, or
    ///   if another flow is current.
    public func timeToResend(_ flow: Flow) -> Duration? {
        guard let record = context.state.withLock({ $0.flows.pending }), record.memory.flow.id == flow.id else { return nil }
        return record.timeToResend(on: context.effects.clock).map { max($0, .zero) }
    }

    /// Cancels a flow.
    ///
    /// An existing session is not affected.
    ///
    /// ```swift
    /// if let flow = client.pending?.flow { try await client.cancel(flow) }
    /// ```
    ///
    /// - Parameter flow: The flow.
    /// - Throws: `flowNotFound`, or an error of the store.
    @concurrent
    public func cancel(_ flow: Flow) async throws(AuthError) {
        try await flows.cancel(flow)
    }

    /// Handles a URL that opened the app.
    ///
    /// Call this method with every URL. A URL that does not belong to the sign-in has no effect, and the outcome is
    /// `notOurs`. If a URL launched the app, the client first reads the store.
    ///
    /// If the same URL arrives twice, even at the same time, the client sends it to the backend once and returns the
    /// same result twice. After a sign-out, or for another user, the client asks the backend again.
    ///
    /// ```swift
    /// switch await client.handle(url) {
    /// case .notOurs: print("a link for another part of the app")
    /// case .step(let step): print(step.session == nil ? "one more step" : "signed in")
    /// case .refused(let error): print(error.message)
    /// }
    /// ```
    ///
    /// - Parameter url: The URL.
    /// - Returns: The outcome.
    @concurrent
    public func handle(_ url: String) async -> CallbackOutcome {
        await flows.handle(url)
    }
}
