internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Reads the store, without the network, and says who is signed in.
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

    /// Looks at the store again, without the network, because somebody else may have written to it.
    ///
    /// Not required: whoever needs a token looks first. Call it when a store tells of a change (PostgreSQL does), or when an app
    /// comes to the foreground whose extensions share the store: a session that another process has refreshed is taken over at
    /// once, a sign-out is shown at once, and so is a sign-in.
    @concurrent
    @discardableResult
    public func lookAtStore() async -> AuthState {
        guard !needsRestore else { return await restore() }
        // The body throws nothing.
        try? await inTime { () async throws(AuthError) in
            _ = await run(SessionErrand(.look, in: core.withLock { $0.generation }))
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
            let session = try await readSession()
            let flows: StoredSlot<StoredFlows> = try await read(.flow)
            let stored = session.stored
            let known = flows.value
            let foreign = stored == nil ? try await sessionOfAnotherBackend() : nil
            let owes = try await store.load(key(.revocations)) != nil
            change { core in
                if core.isRestored { return }
                core.sessions.restored(
                    stored, otherwise: session.isDamaged ? .storeDamaged : foreign == nil ? .neverSignedIn : .backendChanged)
                core.pending = known?.pending
                core.interrupted = known?.interrupted
                core.lastOrdinal = known?.pending?.ordinal ?? 0
                core.currentOrdinal = core.lastOrdinal
                core.owesRevocations = owes
                self.askForProof(&core)
            }
            // Whoever was signed in before and is not any more gets the one line here too; which session it was is not known.
            if session.isDamaged || foreign != nil {
                let reason: SignOutReason = session.isDamaged ? .storeDamaged : .backendChanged
                tell(.sessionEnded, [.reason: reason.rawValue])
            }
            if let foreign { tell(.backendChanged, [.provider: foreign.provider, .backend: foreign.backend]) }
            if owes { inBackground("sendRevocations") { await self.sendRevocations() } }
        } catch {
            change { $0.sessions.couldNotRestore(StoreFailure(error)) }
        }
    }

    /// The stored session; what cannot be understood is put aside, and what memory holds counts.
    func loadSession() async throws(StoreError) -> SessionMachine.Stored? {
        let slot = try await readSession()
        if slot.isDamaged { change { $0.sessions.isSetAside() } }
        return slot.stored
    }

    /// A session that disagrees with itself, with one user's token in another's name, is none.
    private func readSession() async throws(StoreError) -> StoredSlot<Session> {
        try await read(.session) { $0.isOfOneUser }
    }

    /// What a slot holds.
    ///
    /// Bytes that cannot be understood are kept where the store keeps what is damaged; the sink is told.
    private func read<Value>(
        _ slot: StoreKey.Slot, where isSound: (Value) -> Bool = { _ in true }
    ) async throws(StoreError) -> StoredSlot<Value> {
        var found = StoredSlot<Value>()
        do throws(StoreError) {
            guard let value = try await store.load(key(slot)) else { return found }
            found.revision = value.revision
            let content = try Envelope<Value>.value(of: value.bytes)
            guard isSound(content) else { throw StoreError(.corrupt, "The stored value disagrees with itself.") }
            found.value = content
        } catch  where error.code == .corrupt {
            if let revision = found.revision { try await store.setAside(key(slot), unlessChangedSince: revision) }
            found.isDamaged = true
            tell(.setAside, [.slot: slot.rawValue])
        }
        return found
    }

    /// Where a session lies that the team's former backend made: it is kept, and never sent to this one.
    private func sessionOfAnotherBackend() async throws(StoreError) -> StoreKey? {
        try await store.keys().first { $0.slot == .session && ($0.provider != adapter.name || $0.backend != adapter.backend) }
    }

    /// Gives an unverified session without a flow one, so that the app always has a challenge to show.
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

/// What was found in a slot of the store.
private struct StoredSlot<Value: Codable & Sendable>: Sendable {
    var value: Value?
    var revision: Revision?
    var isDamaged = false
}

extension StoredSlot<Session> {
    fileprivate var stored: SessionMachine.Stored? {
        guard let value, let revision else { return nil }
        return .init(session: value, revision: revision)
    }
}
