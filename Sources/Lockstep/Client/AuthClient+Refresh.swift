internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// The refreshed session of a generation: joins the refresh on its way, or starts one.
    func sharedRefresh(of generation: Int) async throws(AuthError) -> Session {
        let ticket = core.withLock { $0.ticket() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<Session, AuthError>, Never>) in
                enum Entry { case joined, started, over(Result<Session, AuthError>) }
                let entry: Entry = core.withLock { core in
                    if core.cancelledTickets.remove(ticket) != nil { return .over(.failure(.cancelled)) }
                    guard core.generation == generation, let session = core.session else { return .over(.failure(notSignedIn)) }
                    if core.refreshes[generation] != nil {
                        core.refreshes[generation]?.waiters[ticket] = waiter
                        return .joined
                    }
                    // A refresh that ended between the look and now has done what is asked for.
                    if !session.lifetime.needsRefresh(on: effects.clock) { return .over(.success(session)) }
                    core.refreshes[generation] = ClientState.Refresh(generation: generation, waiters: [ticket: waiter])
                    return .started
                }
                switch entry {
                case .joined: break
                case .started: Task { await self.runRefresh(of: generation) }
                case .over(let result): waiter.resume(returning: result)
                }
            }
        } onCancel: {
            let waiter = core.withLock { core in
                let waiter = core.refreshes[generation]?.waiters.removeValue(forKey: ticket)
                if waiter == nil { core.cancelledTickets.insert(ticket) }
                return waiter
            }
            waiter?.resume(returning: .failure(.cancelled))
        }
        _ = core.withLock { $0.cancelledTickets.remove(ticket) }
        return try outcome.get()
    }

    private func runRefresh(of generation: Int) async {
        let outcome: Result<Session, AuthError>
        do throws(StoreError) {
            outcome = try await store.exclusively(key(.session), patience: options.patience) {
                await self.refreshAlone(generation)
            }
        } catch {
            outcome = await adoptNewer(generation, insteadOf: error)
        }
        let word =
            switch outcome {
            case .success: "ok"
            case .failure(let error): error.code.rawValue
            }
        tell(.sessionRefreshed, ["outcome": word])
        let waiters = core.withLock { $0.refreshes.removeValue(forKey: generation)?.waiters ?? [:] }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }

    /// Refreshes while no other process can: with the token that the store holds now, and only if that is needed at all.
    private func refreshAlone(_ generation: Int) async -> Result<Session, AuthError> {
        let (held, isUnsaved) = core.withLock { ($0.generation == generation ? $0.session : nil, $0.isUnsaved) }
        guard let held else { return .failure(notSignedIn) }
        var base = held
        var revision: Revision?
        do throws(StoreError) {
            let stored = try await loadSession()
            revision = stored?.revision
            if let stored, !isUnsaved, stored.session != held {
                if !stored.session.lifetime.needsRefresh(on: effects.clock) { return await adopt(stored.session, generation) }
                base = stored.session
            }
            if stored == nil, !isUnsaved {
                await end(generation, because: .endedElsewhere, verdict: notSignedIn)
                return .failure(notSignedIn)
            }
        } catch {
            return .failure(AuthError(.storeUnavailable, error.message, retry: .now, underlying: error))
        }
        let sent = base
        do throws(AuthError) {
            let fresh = try await ask { () async throws(AuthError) in try await self.adapter.sessions.refresh(sent) }
            return await settle(fresh, over: revision, generation)
        } catch {
            return await weigh(error, after: sent, generation)
        }
    }

    /// Stores a refreshed session first, then shows it; throws it away if the user signed out or switched meanwhile.
    private func settle(_ fresh: Session, over revision: Revision?, _ generation: Int) async -> Result<Session, AuthError> {
        guard core.withLock({ $0.generation == generation }) else { return await discard(fresh) }
        var isSaved = true
        do throws(StoreError) {
            try await store.replace(key(.session), with: Envelope(fresh).bytes(), unlessChangedSince: revision)
        } catch  where error.code == .conflict {
            // Somebody signed out or in since the store was read, here or in another process: theirs counts.
            guard let stored = try? await loadSession() else {
                await end(generation, because: .endedElsewhere, verdict: notSignedIn)
                return await discard(fresh)
            }
            return await adopt(stored.session, generation)
        } catch {
            isSaved = false
            tell(.persistenceFailed, ["code": error.code.rawValue])
        }
        let isWritten = isSaved
        let isCurrent = change { core in
            guard core.generation == generation else { return false }
            core.session = fresh
            core.isUnsaved = !isWritten
            if fresh.user.standing != .unverified, core.pending?.memory.flow.kind == .confirmation { core.pending = nil }
            return true
        }
        guard isCurrent else { return await discard(fresh) }
        return .success(fresh)
    }

    /// Tells a session that nobody wants any more to the backend, as far as that works.
    private func discard(_ session: Session) async -> Result<Session, AuthError> {
        tell(.sessionRefreshed, ["outcome": "discarded"])
        try? await ask(within: options.farewell) { () async throws(AuthError) in
            try await self.adapter.sessions.revoke(session, scope: .local)
        }
        return .failure(notSignedIn)
    }

    /// Believes a verdict only after a look at the store: "used before" and "not found" may just say that another process was faster.
    private func weigh(_ error: AuthError, after sent: Session, _ generation: Int) async -> Result<Session, AuthError> {
        guard let reason = error.code.verdict else { return .failure(error) }
        if error.code == .refreshTokenReused || error.code == .refreshTokenUnknown,
            let stored = try? await loadSession(), stored.session.refreshToken != sent.refreshToken
        {
            return await adopt(stored.session, generation)
        }
        await end(generation, because: reason, verdict: error)
        return .failure(error)
    }

    /// Takes over the session that another process has stored.
    private func adopt(_ session: Session, _ generation: Int) async -> Result<Session, AuthError> {
        let isCurrent = change { core in
            guard core.generation == generation else { return false }
            core.session = session
            core.isUnsaved = false
            return true
        }
        return isCurrent ? .success(session) : .failure(notSignedIn)
    }

    /// What is left when the store could not be had alone: what it holds by now, or advice to try again.
    private func adoptNewer(_ generation: Int, insteadOf error: StoreError) async -> Result<Session, AuthError> {
        if let stored = try? await loadSession(), !stored.session.lifetime.needsRefresh(on: effects.clock) {
            return await adopt(stored.session, generation)
        }
        return .failure(AuthError(.storeUnavailable, error.message, retry: .now, underlying: error))
    }
}
