internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// Reads the store, without the network, and sets the state.
    @discardableResult
    func restore() async -> AuthState {
        await CallDeadline.$uptime.withValue(effects.clock.uptime + options.deadline) { await restoreBeforeDeadline() }
        return state
    }

    private func restoreBeforeDeadline() async {
        guard !isRestored else { return }
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        let end = await effects.clock.wait(atMost: limit) { [self] in
            await restoring.result { [self] in await CallDeadline.$uptime.withValue(nil) { await loadStore() } }
        }
        if case .timeIsOver = end {
            let error = StoreError(
                .busy,
                "The store did not respond within \(options.deadline.inWholeSeconds). The client reads it again automatically.")
            change { $0.sessions.machine.couldNotRestore(StoreFailure(error)) }
        }
    }

    /// Reads the store again, because another process may have written to it.
    func reloadFromStore() async -> AuthState {
        guard isRestored else { return await restore() }
        await CallDeadline.$uptime.withValue(effects.clock.uptime + options.deadline) {
            _ = await perform(SessionOperation(.reloadFromStore, in: context.state.withLock { $0.generation }))
        }
        return state
    }

    /// Restores the session if the client has not restored it yet, or if the last attempt failed.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    func ensureRestored() async throws(AuthError) {
        guard !isRestored else { return }
        await restoreBeforeDeadline()
        guard case .unavailable(let failure) = state else {
            if Task.isCancelled { throw .cancelled }
            return
        }
        throw AuthError(.storeUnavailable, failure.message, retry: .now)
    }

    private func loadStore() async {
        do throws(StoreError) {
            let session = try await context.slots.session.load()
            // If a newer version of the app wrote the flow or the list of revocations, it stays unchanged. The session
            // matters more.
            let flows = try await context.slots.flows.load(acceptsNewerForm: true)
            let stored = session.stored
            let foreign = stored == nil ? try await sessionOfAnotherBackend() : nil
            let last = stored == nil ? try await reasonOfLastSignOut() : nil
            // A later launch finds the other backend's session again, but has been told about it.
            let news = last == nil ? foreign : nil
            let reason: SignOutReason =
                session.isDamaged ? .storeDamaged : last ?? (news == nil ? .neverSignedIn : .backendChanged)
            let hasUnsent = try await context.store.load(context.slots.revocations.key) != nil
            let hadOldFlow = change { state in
                if state.isRestored { return false }
                state.sessions.machine.restored(stored, otherwise: reason)
                state.restored(flows.value)
                state.sessions.replaced = session.value?.replaced ?? []
                let hadOldFlow = state.flows.endOld(on: self.effects.clock)
                state.store.hasUnsentRevocations = hasUnsent
                state.askForProof(self.adapter, self.effects)
                return hadOldFlow
            }
            if hadOldFlow { await persist(.flow) }
            // A lost session is reported once here as well, although it is unknown which session it was.
            if session.isDamaged || news != nil {
                effects.report(.sessionEnded, [.reason: reason.rawValue])
                await persist(.signOut)
            }
            if let news { effects.report(.backendChanged, [.provider: news.provider, .backend: news.backend]) }
            let replaced = session.value?.replaced ?? []
            if !replaced.isEmpty { inBackground("sendRevocations") { await self.sendReplaced(replaced) } }
            if hasUnsent { inBackground("sendRevocations") { await self.sendRevocations() } }
        } catch {
            change { $0.sessions.machine.couldNotRestore(StoreFailure(error)) }
        }
    }

    /// Returns the reason why no user is signed in, as stored by the last sign-out.
    private func reasonOfLastSignOut() async throws(StoreError) -> SignOutReason? {
        try await context.slots.signOut.load(acceptsNewerForm: true).value.flatMap(SignOutReason.init)
    }
}
