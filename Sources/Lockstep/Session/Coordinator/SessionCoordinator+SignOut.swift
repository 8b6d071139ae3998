internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// Signs out: immediately on this device, and on the backend if it can be reached.
    func signOut(_ scope: SignOutScope, discardingAnonymousUser: Bool) async throws(AuthError) {
        guard adapter.signOutScopes.contains(scope) || scope == .local else {
            throw context.unsupported(scope == .others ? .signOutOthers : .signOutEverywhere)
        }
        try await call("signOut") { () async throws(AuthError) in
            if scope == .others {
                return try await self.asUser { session async throws(AuthError) in
                    try await self.ask { () async throws(AuthError) in
                        try await self.adapter.sessions.revoke(session, scope: .others)
                    }
                }
            }
            if case .anonymous = self.state, !discardingAnonymousUser {
                throw AuthError(
                    .anonymousUserWouldBeLost,
                    "The user is anonymous and cannot sign in again. To discard the account, pass discardingAnonymousUser: true.",
                    remedies: [.linkAnonymousUser])
            }
            let (session, generation) = self.change { state in
                let session = state.session
                state.signOut(because: .requested, at: self.effects.clock.now)
                return (session, state.generation)
            }
            let outcome = await self.leave(in: generation)
            if let session { try await self.tellBackend(of: session, scope) }
            if case .failure(let error) = outcome { throw error }
        }
    }

    /// Ends sessions on the backend after this device has signed out.
    ///
    /// An unreachable backend is an error only if other sessions should end, too.
    private func tellBackend(of session: Session, _ scope: SignOutScope) async throws(AuthError) {
        guard scope == .everywhere else { return await revoke(session) }
        do throws(AuthError) {
            try await end(session, scope)
        } catch {
            await revoke(session)
            throw error
        }
    }

    /// Ends a session on the backend: now if the backend can be reached, otherwise as soon as it responds again.
    ///
    /// The session is noted first. So if the app is closed before the request is sent, the next launch sends it.
    func revoke(_ session: Session) async {
        let revocation = Revocation(ended: session, since: effects.clock.now)
        context.state.withLock { $0.store.revocations.toNote.append(revocation) }
        await persist(.revocations)
        _ = await send(revocation)
    }

    /// Sends the noted revocations.
    ///
    /// If another process is already sending them, this call sends only the rest.
    func sendRevocations() async {
        let hasUnsent = context.state.withLock { state in
            defer { state.store.hasUnsentRevocations = false }
            return state.store.hasUnsentRevocations
        }
        guard hasUnsent else { return }
        let outcome: Result<Void, StoreError>
        do throws(StoreError) {
            outcome = try await context.store.exclusively(context.slots.revocations.key, lockTimeout: options.lockTimeout) {
                await self.sendAll()
            }
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome { context.state.withLock { $0.store.hasUnsentRevocations = true } }
    }

    /// Sends all revocations, including those that could not be stored, until the backend cannot be reached.
    private func sendAll() async -> Result<Void, StoreError> {
        let stored: [Revocation]
        do throws(StoreError) {
            stored = try await context.slots.revocations.load(acceptsNewerForm: true).value ?? []
        } catch {
            return .failure(error)
        }
        let unnoted = context.state.withLock { $0.store.revocations.toNote }.filter { !stored.contains($0) }
        for revocation in stored + unnoted {
            guard await send(revocation) == nil else { break }
        }
        return .success(())
    }

    /// Sends a noted revocation, and removes the note when the revocation is done.
    ///
    /// It is done if the backend has ended the session, or has finally rejected the request.
    ///
    /// - Returns: The revocation that must still be sent; `nil` if it is done.
    func send(_ revocation: Revocation) async -> Revocation? {
        let noted = Mutex(revocation)
        do throws(AuthError) {
            try await end(revocation.ended, .local) { renewed in
                // The token in the old note is used up.
                let (old, new) = noted.withLock { noted in
                    let old = noted
                    noted.ended = renewed
                    return (old, noted)
                }
                self.context.state.withLock { state in
                    state.store.revocations.toNote.removeAll { $0 == old }
                    state.store.revocations.toNote.append(new)
                    state.store.revocations.toForget.append(old)
                }
                await self.persist(.revocations)
            }
        } catch {
            context.state.withLock { $0.store.hasUnsentRevocations = true }
            guard error.isVerdict, error.code != .cancelled else { return noted.withLock { $0 } }
        }
        await forget(noted.withLock { $0 })
        return nil
    }

    /// Ends sessions on the backend, authorized by a session that no client uses anymore.
    ///
    /// If the access token has expired and the backend requires a valid one, the client gets a new one with the refresh
    /// token, because the session may be valid for weeks.
    ///
    /// - `renewed`: Gets the refreshed session before the client uses it, because the old tokens are used up.
    func end(
        _ session: Session, _ scope: SignOutScope, renewed: @Sendable (Session) async -> Void = { _ in }
    ) async throws(AuthError) {
        do throws(AuthError) {
            return try await revoke(session, scope)
        } catch  where error.code == .accessTokenRefused {}
        let newer: Session
        do throws(AuthError) {
            newer = try await ask(within: options.revocationTimeout) { () async throws(AuthError) in
                let fresh = try await self.adapter.sessions.refresh(session)
                try fresh.checkTokens()
                return fresh
            }
        } catch  where error.code == .userDeleted || scope == .local && error.code.verdict != nil && error.code != .userDisabled {
            // A session that has already ended needs no revocation.
            return
        }
        if let refusal = ExpectedUser.user(of: session).refusal(of: newer) { throw refusal }
        await renewed(newer)
        try await revoke(newer, scope)
    }

    private func revoke(_ session: Session, _ scope: SignOutScope) async throws(AuthError) {
        try await ask(within: options.revocationTimeout) { () async throws(AuthError) in
            try await self.adapter.sessions.revoke(session, scope: scope)
        }
    }

    private func forget(_ revocation: Revocation) async {
        context.state.withLock { state in
            state.store.revocations.toNote.removeAll { $0 == revocation }
            state.store.revocations.toForget.append(revocation)
        }
        await persist(.revocations)
    }
}

/// A sign-out that has not reached the backend yet.
///
/// It has its own slot and format, so that it can never be read as a session.
struct Revocation: Sendable, Hashable, Codable {
    /// The session to end.
    var ended: Session
    /// The time when the user signed out.
    var since: Instant

    /// The maximum number of revocations; the oldest ones are dropped.
    static let limit = 16
    /// The time for which a revocation is kept.
    ///
    /// By then, every backend has ended the session, or never will.
    static let retention = Duration.seconds(30 * 24 * 3600)
}

/// The changes to make in the stored list of revocations.
struct RevocationChanges: Sendable {
    var toNote: [Revocation] = []
    var toForget: [Revocation] = []
}
