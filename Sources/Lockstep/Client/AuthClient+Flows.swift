internal import Synchronization

extension AuthClient {
    /// The ways that a sign-in takes now, in the adapter's order: what a screen may offer.
    ///
    /// On a guest's session a sign-in adds the way to the guest, and not every way can be added; see ``AccountClient/waysToLink``.
    ///
    /// - Parameter discardingAnonymousUser: Whether it is for a sign-in that leaves the guest behind.
    public func waysToSignIn(discardingAnonymousUser: Bool = false) -> [Capability] {
        if case .anonymous = state, !discardingAnonymousUser { return account.waysToLink }
        return context.adapter.signIn.capabilities(taking: .signIn)
    }

    /// The ways that a sign-up takes now, in the adapter's order; on a guest's session it adds the way to the guest.
    public var waysToSignUp: [Capability] {
        if case .anonymous = state { return account.waysToLink }
        return context.adapter.signIn.capabilities(taking: .signUp(SignUpProfile()))
    }

    /// Makes a new account.
    ///
    /// On a guest's session the guest becomes that account and keeps the user id, where the provider can do that. A name that
    /// cannot be set afterwards is reported by the event `profile.update-failed`: the session has none then, and `account.update`
    /// sets it.
    ///
    /// - Returns: the session, or the next step: most backends want the address proven first.
    /// - Throws: `invalidEmail`, `weakPassword`, `emailAlreadyInUse` (only where the backend reveals it), `notEnabled`,
    ///   `unsupported`, `messageNotSent` (the account is there; the same call again, or a sign-in, sends at once)… Where the call
    ///   had made the account before it failed, ``AuthError/completed`` says so, and the same call again continues there.
    @concurrent
    public func signUp<C: Credential>(with credential: C, displayName: String? = nil) async throws(AuthError) -> SignInStep {
        try await flows.signUp(with: credential, displayName: displayName)
    }

    /// Signs in.
    ///
    /// On a guest's session the credential is linked to the guest, where the provider can do that; on any other session it
    /// replaces the user. It never adds a credential to a user who is not a guest: that is `account.link`.
    ///
    /// It takes effect at once, also where the store cannot be written: ``persistence`` says whether a relaunch will find it.
    ///
    /// - Throws: `invalidCredentials`, `userDisabled`, `notEnabled`, `unsupported`, `anonymousUserWouldBeLost`…; state and store are as
    ///   they were then.
    @concurrent
    public func signIn<C: Credential>(with credential: C) async throws(AuthError) -> SignInStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: false)
    }

    /// Signs in; on a guest's session to the credential's own account, instead of linking.
    ///
    /// - Parameters:
    ///   - credential: The credential to sign in with.
    ///   - discardingAnonymousUser: Whether the guest's account may be lost: it is as soon as the sign-in has succeeded, and stays as it is
    ///     until then.
    /// - Throws: as ``signIn(with:)``.
    @concurrent
    public func signIn<C: Credential>(with credential: C, discardingAnonymousUser: Bool) async throws(AuthError) -> SignInStep {
        try await flows.signIn(with: credential, discardingAnonymousUser: discardingAnonymousUser)
    }

    /// Asks for the message that lets the user replace a forgotten password.
    ///
    /// What follows goes through ``respond(to:with:)`` or ``handle(_:)``: the proof, then the new password, then the session. Where the
    /// backend's own page takes the new password the challenge says so (``Challenge/ending``): the user signs in afterwards.
    @concurrent
    public func requestPasswordReset(email: String) async throws(AuthError) -> SignInStep {
        try await flows.requestPasswordReset(email: email)
    }

    // MARK: The flow in progress

    /// Goes on with a flow.
    ///
    /// A step takes ten codes: after as many wrong ones it refuses every further one as `codeExpired`, without a request, until a new
    /// message is sent (``resend(_:)``) or the flow is begun again.
    ///
    /// - Throws: `flowAbandoned`, `flowNotFound`; `responseNotAccepted` before any request; `invalidCode`, `codeExpired`,
    ///   `notConfirmedYet`…: the flow stays then, and a right answer still works.
    @concurrent
    public func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> SignInStep {
        try await flows.respond(to: flow, with: response)
    }

    /// Sends the link or code of a flow again.
    ///
    /// - Throws: `tooManyRequests` before ``Challenge/resendAvailableAt``, with the time left, without a request; `messageNotSent`.
    @concurrent
    @discardableResult
    public func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await flows.resend(flow)
    }

    /// The time until the message of the flow in progress can be sent again: what a countdown shows, and ``resend(_:)`` goes by.
    ///
    /// It is measured so that a device clock that is set, or a machine that sleeps, does not change it.
    ///
    /// - Returns: zero when it can be sent; `nil` where it never can, and for another flow than the one in progress.
    public func timeToResend(_ flow: Flow) -> Duration? {
        guard let record = context.state.withLock({ $0.flows.pending }), record.memory.flow.id == flow.id else { return nil }
        return record.timeToResend(on: context.effects.clock).map { max($0, .zero) }
    }

    /// Leaves a flow; a session that is there stays.
    @concurrent
    public func cancel(_ flow: Flow) async throws(AuthError) {
        try await flows.cancel(flow)
    }

    /// Takes a URL that the app was opened with.
    ///
    /// Give it every URL: one that is not ours is reported as such and has no effect. A URL that launched the app waits until the
    /// store has been read. The same URL delivered twice, even at once, makes one exchange and one result, as long as that result
    /// is valid: after a sign-out, or for another user, the backend is asked anew.
    @concurrent
    public func handle(_ url: String) async -> CallbackOutcome {
        await flows.handle(url)
    }
}
