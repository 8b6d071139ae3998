internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Reads the store, without the network, and sets the state.
    ///
    /// Calling it is not required: the first call of any other kind does it. An expired session that can be refreshed is
    /// restored as it is; its next use refreshes it. A store that cannot be read gives `unavailable`, deletes nothing, and is
    /// read again by the next call, and by itself while the client lives.
    @concurrent
    @discardableResult
    public func restore() async -> AuthState {
        // The body throws nothing.
        try? await inTime { () async throws(AuthError) in await restoreInTime() }
        return state
    }

    private func restoreInTime() async {
        guard needsRestore else { return }
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        let end = await effects.clock.wait(atMost: limit) { [self] in
            await restoring.result { [self] in await CallDeadline.$uptime.withValue(nil) { await readStore() } }
        }
        if case .timeIsOver = end {
            let error = StoreError(.busy, "The store has not answered within \(options.deadline). It is read again by itself.")
            change { $0.sessions.couldNotRestore(StoreFailure(error)) }
        }
    }

    /// Reads the store again, without the network, because another process may have written to it.
    ///
    /// Not required: every call that needs a token reads the store first. Call it when a store reports a change (PostgreSQL
    /// does), or when an app comes to the foreground whose extensions share the store: a session that another process has
    /// refreshed is taken over at once, a sign-out is shown at once, and so is a sign-in.
    @concurrent
    @discardableResult
    public func reloadFromStore() async -> AuthState {
        guard !needsRestore else { return await restore() }
        // The body throws nothing.
        try? await inTime { () async throws(AuthError) in
            _ = await run(SessionOperation(.look, in: core.withLock { $0.generation }))
        }
        return state
    }

    /// Restores where that has not happened or has failed.
    ///
    /// - Throws: `storeUnavailable`
    func ensureRestored() async throws(AuthError) {
        guard needsRestore else { return }
        await restoreInTime()
        guard case .unavailable(let failure) = state else {
            if Task.isCancelled { throw .cancelled }
            return
        }
        throw AuthError(.storeUnavailable, failure.message, retry: .now)
    }

    private var needsRestore: Bool { core.withLock { !$0.isRestored } }

    private func readStore() async {
        do throws(StoreError) {
            let session = try await slots.session.readKnown()
            // A flow written by a newer version of the app is left as it is, and so is a list of revocations: the session matters
            // more.
            let flows = try await slots.flows.read()
            let stored = session.stored
            let foreign = stored == nil ? try await sessionOfAnotherBackend() : nil
            let reason: SignOutReason =
                if session.isDamaged { .storeDamaged } else if foreign != nil { .backendChanged } else if stored == nil {
                    try await reasonOfLastSignOut()
                } else { .neverSignedIn }
            let owes = try await store.load(key(.revocations)) != nil
            let now = effects.clock.now
            let hadOldFlow = change { core in
                if core.isRestored { return false }
                core.sessions.restored(stored, otherwise: reason)
                core.restored(flows.value)
                let hadOldFlow = core.endOldFlows(at: now)
                core.owesRevocations = owes
                self.askForProof(&core)
                return hadOldFlow
            }
            if hadOldFlow { await persist(.flow) }
            // A lost session is reported once here as well; which session it was is not known.
            if session.isDamaged || foreign != nil { tell(.sessionEnded, [.reason: reason.rawValue]) }
            if session.isDamaged { await persist(.signOut) }
            if let foreign { tell(.backendChanged, [.provider: foreign.provider, .backend: foreign.backend]) }
            if owes { inBackground("sendRevocations") { await self.sendRevocations() } }
        } catch {
            change { $0.sessions.couldNotRestore(StoreFailure(error)) }
        }
    }

    /// The stored session; one that cannot be decoded is quarantined, and memory stays.
    func loadSession() async throws(StoreError) -> SessionMachine.Stored? {
        let slot = try await slots.session.readKnown()
        if slot.isDamaged { change { $0.sessions.isSetAside() } }
        return slot.stored
    }

    /// Why no user is signed in, as the last sign-out has stored it.
    private func reasonOfLastSignOut() async throws(StoreError) -> SignOutReason {
        try await slots.signOut.read().value.flatMap(SignOutReason.init) ?? .neverSignedIn
    }

    /// Finds a stored session of another backend: it is kept, and never sent to this one.
    private func sessionOfAnotherBackend() async throws(StoreError) -> StoreKey? {
        try await store.keys().first { $0.slot == .session && ($0.provider != adapter.name || $0.backend != adapter.backend) }
    }

    /// Gives an unverified session without a flow a new one, so that the app always has a challenge to show.
    func askForProof(_ core: inout ClientState) {
        guard let session = core.session, session.user.standing == .unverified, core.pending == nil else { return }
        let flow = Flow(
            id: "confirm-" + effects.randomness.text(16), kind: .confirmation, capability: .password, startedAt: effects.clock.now
        )
        let accepts = Set(
            Answer.Kind.allCases.filter { kind in adapter.verification.contains { $0.takes(kind, in: .confirmation) } })
        let challenge = Challenge(
            flow: flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "", accepts: accepts,
            resendAvailableAt: effects.clock.now)
        core.pending = FlowRecord(
            fingerprint: "", ordinal: core.currentOrdinal, unfinished: .verify(challenge),
            memory: FlowMemory.Contents(flow: flow, user: session.user.id))
    }
}

extension StoredSlot<Session>.Content {
    fileprivate var stored: SessionMachine.Stored? {
        guard let value, let revision else { return nil }
        return .init(session: value, revision: revision)
    }
}
