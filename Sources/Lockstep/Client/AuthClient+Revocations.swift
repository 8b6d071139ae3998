internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends a session at the backend: now if it can be reached, otherwise as soon as it answers again.
    ///
    /// It is noted before it is sent, so that an app which is closed while it waits sends it at its next start.
    func revoke(_ session: Session) async {
        let revocation = Revocation(ended: session, since: effects.clock.now)
        core.withLock { $0.revocations.toNote.append(revocation) }
        await persist(.revocations)
        if await isHeard(revocation) { await forget(revocation) }
    }

    /// Sends what could not be sent before; where another process does so already, what that one leaves.
    func sendRevocations() async {
        let isOwing = core.withLock { core in
            defer { core.owesRevocations = false }
            return core.owesRevocations
        }
        guard isOwing else { return }
        let outcome: Result<Void, StoreError>
        do throws(StoreError) {
            outcome = try await store.exclusively(key(.revocations), patience: options.patience) { await self.sendAll() }
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome { core.withLock { $0.owesRevocations = true } }
    }

    /// Sends what is noted, and what could not be noted, until the backend cannot be reached.
    private func sendAll() async -> Result<Void, StoreError> {
        let slot: StoredSlot<[Revocation]>
        do throws(StoreError) {
            slot = try await read(.revocations)
        } catch {
            return .failure(error)
        }
        let stored = slot.value ?? []
        let unnoted = core.withLock { $0.revocations.toNote }.filter { !stored.contains($0) }
        for revocation in stored + unnoted {
            guard await isHeard(revocation) else { break }
            await forget(revocation)
        }
        return .success(())
    }

    /// Whether there is nothing left to send: the backend has ended the session, or refuses for good to talk of it.
    private func isHeard(_ revocation: Revocation) async -> Bool {
        do throws(AuthError) {
            try await ask(within: options.farewell) { () async throws(AuthError) in
                try await self.adapter.sessions.revoke(revocation.ended, scope: .local)
            }
            return true
        } catch {
            let isHeard = error.retry == .never && error.code != .cancelled
            if !isHeard { core.withLock { $0.owesRevocations = true } }
            return isHeard
        }
    }

    private func forget(_ revocation: Revocation) async {
        core.withLock { core in
            core.revocations.toNote.removeAll { $0 == revocation }
            core.revocations.toForget.append(revocation)
        }
        await persist(.revocations)
    }

    /// Adds to the stored list what is to be noted, and takes out what the backend has heard.
    func writeRevocations() async throws(StoreError) {
        let now = effects.clock.now
        let written = try await update(.revocations) {
            (slot: StoredSlot<[Revocation]>) -> (SlotChange<[Revocation]>, RevocationChanges) in
            let changes = self.core.withLock { $0.revocations }
            let before = slot.value ?? []
            var list = before.filter { !changes.toForget.contains($0) }
            list += changes.toNote.filter { !list.contains($0) }
            list = list.filter { now - $0.since < Revocation.patience }.suffix(Revocation.limit)
            return (list == before ? .keep : list.isEmpty ? .remove : .write(list), changes)
        }
        core.withLock { core in
            core.revocations.toNote.removeAll { written.toNote.contains($0) }
            core.revocations.toForget.removeAll { written.toForget.contains($0) }
        }
    }
}

/// What has to be changed in the stored list of revocations.
struct RevocationChanges: Sendable {
    var toNote: [Revocation] = []
    var toForget: [Revocation] = []
}
