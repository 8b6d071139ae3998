internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// Removes the stored session because the app asked for it, and everything with which an earlier version of the app
    /// could sign a user in at another backend.
    ///
    /// The other backends come first. If the process is killed in between, the sign-out has not happened, and the user
    /// can repeat it.
    func leave(in generation: Int) async -> SessionOperation.Outcome {
        await removeOtherBackends()
        let outcome = await perform(SessionOperation(.leave, in: generation))
        guard case .done = outcome, let failure = context.state.withLock({ $0.store.othersRefusal }) else { return outcome }
        return .failure(.notRemoved(failure))
    }

    /// Finds a stored session of another backend.
    ///
    /// The session is never sent to this client's backend, and is kept until the user signs out.
    func sessionOfAnotherBackend() async throws(StoreError) -> StoreKey? {
        try await context.store.keys().first { $0.slot == .session && isOfAnotherBackend($0) }
    }

    /// Removes the sessions and flows of other backends; a failed removal is repeated as long as the client exists.
    ///
    /// The removal completes even if the caller's task is cancelled.
    func removeOtherBackends() async {
        guard !options.keepingOtherBackends else { return }
        let error: StoreError? = await Task {
            do throws(StoreError) {
                for key in try await context.store.keys()
                where [.session, .flow].contains(key.slot) && isOfAnotherBackend(key) && !BackendsInUse.contains(key) {
                    try await remove(key)
                }
                return nil
            } catch { return error }
        }.value
        context.state.withLock { $0.store.othersRefusal = error }
        if error != nil { retryPendingWritesLater() }
    }

    private func isOfAnotherBackend(_ key: StoreKey) -> Bool {
        key.provider.exact != adapter.name.exact || key.backend.exact != adapter.backend.exact
    }

    /// Removes a value of another backend.
    ///
    /// The revocation of a session waits under the other backend's own key, because only a client of that backend may
    /// send it. It is stored first.
    private func remove(_ key: StoreKey) async throws(StoreError) {
        guard key.slot == .session else { return try await context.store.remove(key) }
        let slots = StoredSlots(
            provider: key.provider, backend: key.backend, in: context.store, locks: context.locks,
            lockTimeout: options.lockTimeout
        ) { _ in }
        for _ in 0..<8 {
            let found = try await slots.session.load(acceptsNewerForm: true)
            guard let revision = found.revision else { return }
            if let value = found.value {
                try await note(
                    value.replaced + [Revocation(ended: value.session, since: effects.clock.now)], in: slots.revocations)
            }
            do throws(StoreError) {
                return try await slots.session.remove(revision)
            } catch  where error.code == .conflict {}
        }
        throw .changed
    }

    private func note(_ ended: [Revocation], in slot: StoredSlot<[Revocation]>) async throws(StoreError) {
        do throws(StoreError) {
            try await slot.update { found -> (StoredSlot<[Revocation]>.Change, Void) in
                let others = (found.value ?? []).filter { old in !ended.contains { $0.ended.isSame(as: old.ended) } }
                return (.write(Array((others + ended).suffix(Revocation.limit))), ())
            }
        } catch  where error.code == .unreadable {
            // A newer version of the app wrote the list. The session is removed nevertheless.
        }
    }
}

/// The backends that clients of this process use.
///
/// A sign-out spares them. Two clients seldom have the same store object, even if their values are in the same folder,
/// so only the process knows its clients.
enum BackendsInUse {
    private static let counts = Mutex<[StoreKey: Int]>([:])

    static func contains(_ key: StoreKey) -> Bool {
        let session = StoreKey(provider: key.provider, backend: key.backend, slot: .session)
        return counts.withLock { $0[session] != nil }
    }

    static func begin(_ session: StoreKey) { counts.withLock { $0[session, default: 0] += 1 } }

    static func end(_ session: StoreKey) {
        counts.withLock { counts in
            let left = (counts[session] ?? 0) - 1
            counts[session] = left > 0 ? left : nil
        }
    }
}
