internal import LockstepPrimitives
internal import Synchronization

/// The value found in a slot of the store.
struct StoredSlot<Value: Codable & Sendable>: Sendable {
    var value: Value?
    var revision: Revision?
    /// Whether the bytes could not be decoded; they are quarantined, and the slot is empty now.
    var isDamaged = false
    /// The error where a newer version of the app has written it; it is left as it is.
    var newerForm: StoreError?
}

/// A change to a slot.
enum SlotChange<Value: Codable & Sendable>: Sendable {
    case keep
    case write(Value)
    case remove
}

extension AuthClient {
    /// Reads the value of a slot.
    ///
    /// Bytes that cannot be decoded are quarantined, and reported to the sink.
    ///
    /// - Parameter isSound: whether a decoded value is one that this client may have written.
    func read<Value>(
        _ slot: StoreKey.Slot, where isSound: (Value) -> Bool = { _ in true }
    ) async throws(StoreError) -> StoredSlot<Value> {
        var found = StoredSlot<Value>()
        do throws(StoreError) {
            guard let value = try await store.load(key(slot)) else { return found }
            found.revision = value.revision
            let content = try Envelope<Value>.value(of: value.bytes)
            guard isSound(content) else { throw StoreError(.corrupt, "The stored value disagrees with itself.") }
            found.value = content
        } catch {
            guard error.code != .newerForm else {
                found.newerForm = StoreError(.unreadable, error.message)
                return found
            }
            guard error.code == .corrupt else { throw error }
            if let revision = found.revision { try await store.quarantine(key(slot), unlessChangedSince: revision) }
            found.revision = nil
            found.isDamaged = true
            tell(.quarantine, [.slot: slot.rawValue])
        }
        return found
    }

    /// Changes the value of a slot: reads it, calls `change`, and writes the result if nothing else was written meanwhile;
    /// otherwise it starts again.
    ///
    /// The changes of one process take turns, from reading to writing. So `change` sees what memory holds at the moment in which
    /// it is called, and a write that began earlier never undoes a later one.
    ///
    /// - Returns: what `change` gave at its last call.
    /// - Throws: what the store throws; `conflict` where others keep writing; `unreadable` where the slot has the form of a newer
    ///   version of the app. Nothing has changed then.
    func update<Value, Result: Sendable>(
        _ slot: StoreKey.Slot, _ change: @Sendable (StoredSlot<Value>) -> (SlotChange<Value>, Result)
    ) async throws(StoreError) -> Result {
        try await storing.enter(key(slot), lockTimeout: options.lockTimeout)
        defer { storing.leave(key(slot)) }
        for _ in 0..<32 {
            do throws(StoreError) {
                let found: StoredSlot<Value> = try await read(slot)
                if let error = found.newerForm { throw error }
                let (action, result) = change(found)
                switch (action, found.revision) {
                case (.keep, _), (.remove, nil): break
                case (.write(let value), let revision):
                    try await store.replace(key(slot), with: Envelope(value).bytes(), unlessChangedSince: revision)
                case (.remove, let revision?): try await store.remove(key(slot), unlessChangedSince: revision)
                }
                return result
            } catch  where error.code == .conflict {}
        }
        throw .changed
    }

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
        let (written, wiped) = try await update(.flow) { (slot: StoredSlot<StoredFlows>) in
            self.core.withLock { core in
                let change = core.flowsToStore(over: slot)
                return (change, (change.flowIDs, core.wipesFlows))
            }
        }
        core.withLock { core in
            if let written { core.storedFlows = written }
            if core.wipesFlows == wiped { core.wipesFlows = nil }
        }
    }

    /// Merges what has changed into the stored notes: those of other clients stay.
    private func writeDeviceNotes() async throws(StoreError) {
        let written = try await update(.device) {
            (slot: StoredSlot<[String: Secret]>) -> (SlotChange<[String: Secret]>, [String: Secret?]) in
            let changes = self.core.withLock { $0.deviceChanges }
            let before = slot.value ?? [:]
            let after = before.changed(by: changes)
            return (after == before ? .keep : .write(after), changes)
        }
        core.withLock { core in
            core.deviceChanges = core.deviceChanges.filter { name, value in
                guard let done = written[name] else { return true }
                return done != value
            }
        }
    }

    /// The provider's notes about this device, including those that could not be written yet.
    func deviceNotes() async throws(AuthError) -> [String: Secret] {
        do throws(StoreError) {
            let slot: StoredSlot<[String: Secret]> = try await read(.device)
            if let error = slot.newerForm { throw error }
            return (slot.value ?? [:]).changed(by: core.withLock { $0.deviceChanges })
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
        // As text: a reason of a later version is not damage.
        try await update(.signOut) { (slot: StoredSlot<String>) in
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

extension StoreError.Code {
    /// A newer version of the app has written it; callers get `unreadable`.
    static let newerForm = StoreError.Code(rawValue: "newerForm")
}
