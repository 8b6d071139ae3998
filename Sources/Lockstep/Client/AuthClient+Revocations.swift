internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends a session at the backend: now if it can be reached, otherwise as soon as it answers again.
    ///
    /// It is noted before it is sent, so that an app which is closed meanwhile sends it at its next start.
    func revoke(_ session: Session) async {
        let revocation = Revocation(ended: session, since: effects.clock.now)
        core.withLock { $0.revocations.toNote.append(revocation) }
        await persist(.revocations)
        await send(revocation)
    }

    /// Sends the noted revocations; where another process already does so, only what that one leaves.
    func sendRevocations() async {
        let isOwing = core.withLock { core in
            defer { core.owesRevocations = false }
            return core.owesRevocations
        }
        guard isOwing else { return }
        let outcome: Result<Void, StoreError>
        do throws(StoreError) {
            outcome = try await store.exclusively(key(.revocations), lockTimeout: options.lockTimeout) { await self.sendAll() }
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome { core.withLock { $0.owesRevocations = true } }
    }

    /// Sends the revocations that are noted, and those that could not be noted, until the backend cannot be reached.
    private func sendAll() async -> Result<Void, StoreError> {
        let stored: [Revocation]
        do throws(StoreError) {
            stored = try await slots.revocations.read().value ?? []
        } catch {
            return .failure(error)
        }
        let unnoted = core.withLock { $0.revocations.toNote }.filter { !stored.contains($0) }
        for revocation in stored + unnoted {
            guard await send(revocation) else { break }
        }
        return .success(())
    }

    /// Sends one that is noted, and removes it once nothing is left to send: the backend has ended the session, or finally
    /// refuses the request.
    ///
    /// - Returns: whether that is so.
    @discardableResult
    private func send(_ revocation: Revocation) async -> Bool {
        let noted = Mutex(revocation)
        do throws(AuthError) {
            try await end(revocation.ended, .local) { renewed in
                // The token in the note is used up.
                let (old, new) = noted.withLock { noted in
                    let old = noted
                    noted.ended = renewed
                    return (old, noted)
                }
                self.core.withLock { core in
                    core.revocations.toNote.removeAll { $0 == old }
                    core.revocations.toNote.append(new)
                    core.revocations.toForget.append(old)
                }
                await self.persist(.revocations)
            }
        } catch {
            core.withLock { $0.owesRevocations = true }
            guard error.retry == .never, error.code != .cancelled else { return false }
        }
        await forget(noted.withLock { $0 })
        return true
    }

    /// Ends sessions at the backend with a session that no client uses any more.
    ///
    /// Where its access token has expired and the backend wants a valid one, its refresh token gets another: the session may live
    /// on for weeks.
    ///
    /// - Parameter renewed: gets the refreshed session before that is used, because the older one is used up.
    func end(
        _ session: Session, _ scope: SignOutScope, renewed: @Sendable (Session) async -> Void = { _ in }
    ) async throws(AuthError) {
        do throws(AuthError) {
            return try await revoke(session, scope)
        } catch  where error.code == .accessTokenRefused {}
        let newer: Session
        do throws(AuthError) {
            newer = try await ask(within: options.revocationTimeout) { () async throws(AuthError) in
                try await self.adapter.sessions.refresh(session)
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
        core.withLock { core in
            core.revocations.toNote.removeAll { $0 == revocation }
            core.revocations.toForget.append(revocation)
        }
        await persist(.revocations)
    }

    /// Adds new revocations to the stored list, and removes those that the backend has answered.
    func writeRevocations() async throws(StoreError) {
        let now = effects.clock.now
        try await slots.revocations.update { slot -> (StoredSlot<[Revocation]>.Change, RevocationChanges) in
            let changes = self.core.withLock { $0.revocations }
            let before = slot.value ?? []
            var list = before.filter { !changes.toForget.contains($0) }
            list += changes.toNote.filter { !list.contains($0) }
            list = list.filter { now - $0.since < Revocation.retention }.suffix(Revocation.limit)
            return (list == before ? .keep : list.isEmpty ? .remove : .write(list), changes)
        } stored: { written in
            self.core.withLock { core in
                core.revocations.toNote.removeAll { written.toNote.contains($0) }
                core.revocations.toForget.removeAll { written.toForget.contains($0) }
            }
        }
    }
}

/// The changes to make in the stored list of revocations.
struct RevocationChanges: Sendable {
    var toNote: [Revocation] = []
    var toForget: [Revocation] = []
}
