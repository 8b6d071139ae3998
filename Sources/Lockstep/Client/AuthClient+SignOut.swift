internal import LockstepPrimitives

extension AuthClient {
    /// Signs out: on this device at once, also without a network; at the backend as far as it can be reached.
    ///
    /// - Parameters:
    ///   - scope: `others` leaves this session as it is.
    ///   - discardingGuest: A guest's account is lost when it is signed out; this says that it may be.
    /// - Throws: `guestWouldBeLost`; `unsupported` for a scope that the adapter does not have; for `others` and `everywhere` the
    ///   backend's error, with the device signed out all the same; `storeUnavailable` where the store could not be cleared.
    @concurrent
    public func signOut(_ scope: SignOutScope = .local, discardingGuest: Bool = false) async throws(AuthError) {
        guard adapter.signOutScopes.contains(scope) || scope == .local else {
            throw unsupported(scope == .others ? .signOutOthers : .signOutEverywhere)
        }
        try await call("signOut") { () async throws(AuthError) in
            if scope == .others {
                return try await self.asUser { session async throws(AuthError) in
                    try await self.ask { () async throws(AuthError) in
                        try await self.adapter.sessions.revoke(session, scope: .others)
                    }
                }
            }
            if case .anonymous = self.state, !discardingGuest {
                throw AuthError(
                    .guestWouldBeLost,
                    "This is a guest, whose account cannot be signed in to again. Pass discardingGuest: true to lose it.",
                    remedies: [.linkGuest])
            }
            let (session, generation) = self.change { core in
                let session = core.session
                core.signOut(because: .requested, at: self.effects.clock.now)
                return (session, core.generation)
            }
            let outcome = await self.run(SessionOperation(.leave, in: generation))
            if let session { try await self.tellBackend(of: session, scope) }
            if case .failure(let error) = outcome { throw error }
        }
    }

    /// This device is signed out; an unreachable backend is a failure only where other sessions were to be ended too.
    private func tellBackend(of session: Session, _ scope: SignOutScope) async throws(AuthError) {
        guard scope == .everywhere else { return await revoke(session) }
        do throws(AuthError) {
            try await end(session, scope)
        } catch {
            await revoke(session)
            throw error
        }
    }
}
