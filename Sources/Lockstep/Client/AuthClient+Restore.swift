internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Reads the store, without the network, and says who is signed in.
    ///
    /// Calling it is not required: the first call of any other kind does it. An expired session that can be refreshed is
    /// restored as it is; its next use refreshes it. A store that cannot be read gives `unavailable`, deletes nothing, and is
    /// read again by the next call.
    @concurrent
    @discardableResult
    public func restore() async -> AuthState {
        if needsRestore { _ = await restoring.result { [self] in await readStore() } }
        return state
    }

    /// Restores where that has not happened or has failed.
    ///
    /// - Throws: `storeUnavailable`
    func ensureRestored() async throws(AuthError) {
        guard needsRestore else { return }
        guard case .unavailable(let failure) = await restore() else {
            if Task.isCancelled { throw .cancelled }
            return
        }
        throw AuthError(.storeUnavailable, failure.message, retry: .now)
    }

    private var needsRestore: Bool {
        core.withLock { core in
            if case .ready = core.phase { false } else { true }
        }
    }

    private func readStore() async {
        let outcome: Result<(Session?, StoredFlows?, SignOutReason), StoreError>
        do throws(StoreError) {
            let session = try await loadSession()?.session
            let flows = try await store.load(key(.flow))
            let elsewhere = session == nil ? try await hasSessionOfAnotherBackend() : false
            outcome = .success(
                (
                    session, try flows.map { value throws(StoreError) in try Envelope.value(of: value.bytes) },
                    elsewhere ? .backendChanged : .neverSignedIn
                ))
        } catch {
            outcome = .failure(error)
        }
        change { core in
            if case .ready = core.phase { return }
            switch outcome {
            case .success(let (session, flows, reason)):
                core.phase = .ready
                core.session = session
                core.reason = reason
                core.pending = flows?.pending
                core.interrupted = flows?.interrupted
                core.lastOrdinal = flows?.pending?.ordinal ?? 0
                core.currentOrdinal = core.lastOrdinal
                self.askForProof(&core)
            case .failure(let error):
                core.phase = .unavailable(StoreFailure(error))
            }
        }
    }

    /// The stored session with its revision.
    func loadSession() async throws(StoreError) -> (session: Session, revision: Revision)? {
        guard let value = try await store.load(key(.session)) else { return nil }
        return (try Envelope<Session>.value(of: value.bytes), value.revision)
    }

    private func hasSessionOfAnotherBackend() async throws(StoreError) -> Bool {
        try await store.keys().contains { $0.slot == .session && ($0.provider != adapter.name || $0.backend != adapter.backend) }
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
            fingerprint: "", ordinal: core.currentOrdinal, unfinished: .verify(challenge), memory: FlowMemory.Contents(flow: flow)
        )
    }
}
