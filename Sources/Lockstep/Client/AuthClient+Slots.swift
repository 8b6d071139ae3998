internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Writes what memory holds for a slot; a failed write is reported once, and retried while the client lives.
    ///
    /// It completes even where the caller's task is cancelled.
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
        let wasRefused = core.withLock { core in
            let wasRefused = core.refused[slot] != nil
            core.refused[slot] = error.map(StoreFailure.init)
            return wasRefused
        }
        if let error {
            if !wasRefused { tell(.persistenceFailed, [.code: error.code.rawValue, .slot: slot.rawValue]) }
            retryPendingWritesLater()
        } else if wasRefused {
            tell(.persistenceHealed, [.slot: slot.rawValue])
        }
    }

    /// Writes the consequences of a session's end: that its flows are gone, and why it ended.
    func persistEnd() async {
        let owed = core.withLock { core in
            defer { core.owed = [] }
            return core.owed
        }
        for slot in [StoreKey.Slot.flow, .signOut] where owed.contains(slot) { await persist(slot) }
    }

    // MARK: Slots

    private func writeFlows() async throws(StoreError) {
        try await slots.flows.update { slot in
            self.core.withLock { $0.flowsToStore(over: slot) }
        } stored: { flows in
            self.core.withLock { $0.stored(flows) }
        }
    }

    /// Merges what has changed into the stored notes: those of other clients stay.
    private func writeDeviceNotes() async throws(StoreError) {
        try await slots.device.update { slot -> (StoredSlot<[String: Secret]>.Change, [String: Secret?]) in
            let changes = self.core.withLock { $0.deviceChanges }
            let before = slot.value ?? [:]
            let after = before.changed(by: changes)
            return (after == before ? .keep : .write(after), changes)
        } stored: { written in
            self.core.withLock { core in
                core.deviceChanges = core.deviceChanges.filter { name, value in
                    guard let done = written[name] else { return true }
                    return done != value
                }
            }
        }
    }

    /// The provider's notes about this device, including those that could not be written yet.
    func deviceNotes() async throws(AuthError) -> [String: Secret] {
        do throws(StoreError) {
            return (try await slots.device.readKnown().value ?? [:]).changed(by: core.withLock { $0.deviceChanges })
        } catch {
            throw .unavailable(error)
        }
    }

    /// Keeps an adapter's notes about this device.
    func saveDeviceNotes(of memory: FlowMemory) async {
        let changes = memory.takeDeviceChanges()
        guard !changes.isEmpty else { return }
        core.withLock { $0.deviceChanges.merge(changes) { $1 } }
        await persist(.device)
    }

    private func writeReason() async throws(StoreError) {
        try await slots.signOut.update { slot in
            let reason = self.core.withLock { $0.session == nil ? $0.sessions.reason : .neverSignedIn }
            return (reason.isKept && slot.value != reason.rawValue ? .write(reason.rawValue) : .keep, ())
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
    /// Whether a relaunch shows it again.
    ///
    /// Where another process has signed out that one has stored its own reason; a session of another backend is detected again.
    var isKept: Bool { ![.neverSignedIn, .endedElsewhere, .backendChanged].contains(self) }
}
