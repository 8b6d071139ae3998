internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// Writes the value of a slot from memory.
    ///
    /// A failed write is reported once, and repeated as long as the client exists.
    ///
    /// The write completes even if the caller's task is cancelled.
    func persist(_ slot: StoreKey.Slot) async {
        let error: StoreError? = await Task {
            do throws(StoreError) {
                switch slot {
                case .session: break
                case .flow: try await self.writeFlows()
                case .device: try await self.writeDeviceNotes()
                case .revocations: try await self.writeRevocations()
                case .signOut: try await self.writeReason()
                }
                return nil
            } catch { return error }
        }.value
        let wasRefused = context.state.withLock { state in
            let wasRefused = state.store.refused[slot] != nil
            state.store.refused[slot] = error.map(StoreFailure.init)
            return wasRefused
        }
        if let error {
            if !wasRefused { effects.report(.persistenceFailed, [.code: error.code.rawValue, .slot: slot.rawValue]) }
            retryPendingWritesLater()
        } else if wasRefused {
            effects.report(.persistenceHealed, [.slot: slot.rawValue])
        }
    }

    /// Retries failed store accesses as long as the client exists.
    ///
    /// The first retry comes after a second; the intervals then grow to a minute. A store that could not be read is
    /// read again. A session, a flow, a note or a removal that could not be written is written again.
    func retryPendingWritesLater() {
        let begins = context.state.withLock { state in
            guard state.hasPendingWrites, !state.store.isSettling else { return false }
            state.store.isSettling = true
            return true
        }
        guard begins else { return }
        let clock = effects.clock
        Task { [weak self] in
            await TraceContext.$current.withValue(nil) {
                await CallDeadline.$uptime.withValue(nil) {
                    var pause = Duration.seconds(1)
                    while (try? await clock.sleep(for: pause)) != nil, let sessions = self, await sessions.stillHasPendingWrites()
                    {
                        pause = min(pause * 2, .seconds(60))
                    }
                }
            }
        }
    }

    private func stillHasPendingWrites() async -> Bool {
        // The body throws nothing.
        try? await call("retryPendingWrites", inBackground: true) { () async throws(AuthError) in
            let (isRestored, generation) = context.state.withLock { ($0.isRestored, $0.generation) }
            if isRestored {
                _ = await perform(SessionOperation(.retryPendingWrite, in: generation))
                for slot in context.state.withLock({ Array($0.store.refused.keys) }) { await persist(slot) }
                if context.state.withLock({ $0.store.othersRefusal != nil }) { await removeOtherBackends() }
            } else {
                await restore()
            }
        }
        return context.state.withLock { state in
            state.store.isSettling = state.hasPendingWrites
            return state.store.isSettling
        }
    }

    // MARK: Slots

    private func writeFlows() async throws(StoreError) {
        try await context.slots.flows.update { slot in
            self.context.state.withLock { $0.flowsToStore(over: slot) }
        } stored: { flows in
            self.context.state.withLock { $0.stored(flows) }
        }
    }

    /// Merges the changed notes into the stored notes, so that notes of other clients stay.
    private func writeDeviceNotes() async throws(StoreError) {
        try await context.slots.device.update { slot -> (StoredSlot<[String: Secret]>.Change, [String: Secret?]) in
            let changes = self.context.state.withLock { $0.store.deviceChanges }
            let before = slot.value ?? [:]
            let after = before.changed(by: changes)
            return (after == before ? .keep : .write(after), changes)
        } stored: { written in
            self.context.state.withLock { state in
                state.store.deviceChanges = state.store.deviceChanges.filter { name, value in
                    guard let done = written[name] else { return true }
                    return done != value
                }
            }
        }
    }

    /// Returns the provider's notes about this device, including notes that could not be written yet.
    func deviceNotes() async throws(AuthError) -> [String: Secret] {
        do throws(StoreError) {
            return (try await context.slots.device.load().value ?? [:]).changed(
                by: context.state.withLock { $0.store.deviceChanges })
        } catch {
            throw .unavailable(error)
        }
    }

    /// Keeps an adapter's notes about this device.
    func saveDeviceNotes(of memory: FlowMemory) async {
        let changes = memory.takeDeviceChanges()
        guard !changes.isEmpty else { return }
        context.state.withLock { $0.store.deviceChanges.merge(changes) { $1 } }
        await persist(.device)
    }

    private func writeReason() async throws(StoreError) {
        try await context.slots.signOut.update { slot in
            let reason = self.context.state.withLock { $0.session == nil ? $0.sessions.machine.reason : .neverSignedIn }
            return (reason.isKept && slot.value != reason.rawValue ? .write(reason.rawValue) : .keep, ())
        }
    }

    /// Adds new revocations to the stored list, and removes those that the backend has responded to.
    private func writeRevocations() async throws(StoreError) {
        let now = effects.clock.now
        try await context.slots.revocations.update { slot -> (StoredSlot<[Revocation]>.Change, RevocationChanges) in
            let changes = self.context.state.withLock { $0.store.revocations }
            let before = slot.value ?? []
            var list = before.filter { !changes.toForget.contains($0) }
            list += changes.toNote.filter { !list.contains($0) }
            list = list.filter { now - $0.since < Revocation.retention }.suffix(Revocation.limit)
            return (list == before ? .keep : list.isEmpty ? .remove : .write(list), changes)
        } stored: { written in
            self.context.state.withLock { state in
                state.store.revocations.toNote.removeAll { written.toNote.contains($0) }
                state.store.revocations.toForget.removeAll { written.toForget.contains($0) }
            }
        }
    }
}

extension [String: Secret] {
    fileprivate func changed(by changes: [String: Secret?]) -> [String: Secret] {
        var copy = self
        for (name, value) in changes { copy[name] = value }
        return copy
    }
}

extension SignOutReason {
    /// Whether a relaunch shows the reason again.
    ///
    /// If another process signed the user out, that process stored its own reason.
    var isKept: Bool { self != .neverSignedIn && self != .endedElsewhere }
}
