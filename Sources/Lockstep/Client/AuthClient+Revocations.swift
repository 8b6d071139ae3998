internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends a session at the backend: now if it can be reached, otherwise as soon as it answers again.
    ///
    /// It is noted before it is sent, so that an app which is closed while it waits sends it at its next start.
    func revoke(_ session: Session) async {
        let revocation = Revocation(ended: session, since: effects.clock.now)
        await changeRevocations { $0.append(revocation) }
        await send(revocation)
    }

    /// Sends what could not be sent before; where another process does so already, what that one leaves.
    func sendRevocations() async {
        let isOwing = core.withLock { core in
            defer { core.owesRevocations = false }
            return core.owesRevocations
        }
        guard isOwing else { return }
        do throws(StoreError) {
            try await store.exclusively(key(.revocations), patience: options.patience) {
                for revocation in (try? await self.revocations()) ?? [] {
                    guard await self.send(revocation) else { return self.core.withLock { $0.owesRevocations = true } }
                }
            }
        } catch {
            core.withLock { $0.owesRevocations = true }
        }
    }

    /// Sends one that is noted, and strikes it off where there is nothing left to send: the backend has ended the session, or
    /// refuses for good to talk of it.
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
                await self.changeRevocations { list in
                    if let index = list.firstIndex(of: old) { list[index] = new }
                }
            }
        } catch {
            core.withLock { $0.owesRevocations = true }
            guard error.retry == .never, error.code != .cancelled else { return false }
        }
        let last = noted.withLock { $0 }
        await changeRevocations { $0.removeAll { $0 == last } }
        return true
    }

    /// Ends sessions at the backend by one that nobody uses any more.
    ///
    /// Where its access token is dead and the backend wants one that lives, its refresh token gives another: it may live on for weeks.
    ///
    /// - Parameter renewed: is told of the newer form of the session before that is used, for the older one is used up.
    func end(
        _ session: Session, _ scope: SignOutScope, renewed: @Sendable (Session) async -> Void = { _ in }
    ) async throws(AuthError) {
        do throws(AuthError) {
            return try await revoke(session, scope)
        } catch  where error.code == .accessTokenRefused {}
        let newer: Session
        do throws(AuthError) {
            newer = try await ask(within: options.farewell) { () async throws(AuthError) in
                try await self.adapter.sessions.refresh(session)
            }
        } catch  where error.code == .userDeleted || scope == .local && error.code.verdict != nil && error.code != .userDisabled {
            // What has ended is ended.
            return
        }
        if let refusal = ExpectedUser.user(of: session).refusal(of: newer) { throw refusal }
        await renewed(newer)
        try await revoke(newer, scope)
    }

    private func revoke(_ session: Session, _ scope: SignOutScope) async throws(AuthError) {
        try await ask(within: options.farewell) { () async throws(AuthError) in
            try await self.adapter.sessions.revoke(session, scope: scope)
        }
    }

    private func revocations() async throws(StoreError) -> [Revocation] {
        guard let value = try await store.load(key(.revocations)) else { return [] }
        return (try? Envelope<[Revocation]>.value(of: value.bytes)) ?? []
    }

    /// - Returns: whether the change is stored.
    @discardableResult
    private func changeRevocations(_ body: @Sendable (inout [Revocation]) -> Void) async -> Bool {
        for _ in 0..<8 {
            do throws(StoreError) {
                let revision = try await store.load(key(.revocations))?.revision
                var list = try await revocations()
                body(&list)
                list = list.filter { effects.clock.now - $0.since < Revocation.patience }.suffix(Revocation.limit)
                guard !list.isEmpty else {
                    if let revision { try await store.remove(key(.revocations), unlessChangedSince: revision) }
                    return true
                }
                try await store.replace(key(.revocations), with: Envelope(list).bytes(), unlessChangedSince: revision)
                return true
            } catch  where error.code == .conflict {
                continue
            } catch {
                return false
            }
        }
        return false
    }
}
