/// The result of moving a session to another store.
public enum SessionMove: Sendable, Hashable {
    /// All values were moved: they are in the target, and no longer in the source.
    case moved(Set<StoreKey.Slot>)
    /// The source has no values for this backend, for example because an earlier move has finished.
    case nothingToMove
    /// The target already has a different value in this slot, such as a newer session.
    ///
    /// Nothing was changed. If the target has the right value, remove the value from the source.
    case occupied(StoreKey.Slot)
}

extension AuthAdapter {
    /// Moves the session of this adapter's clients, and all other values that they stored, from one store to another.
    ///
    /// The method copies the values and reads them back. After this check, it removes the values from the source. If the
    /// process is killed in between, at least one readable copy is left, and the next call finishes the move. Both stores
    /// are locked during the move. Call this method at every start, before you create the client, as long as the source
    /// may have values. If the source is empty, the call costs a few reads.
    ///
    /// ```swift
    /// let old = try FileSessionStore(directory: "~/.config/my-tool")
    /// let new = try FileSessionStore(directory: "~/.local/state/my-tool")
    /// print(try await adapter.moveSession(from: old, to: new))
    /// ```
    ///
    /// - Parameters:
    ///   - source: The old store.
    ///   - target: The new store.
    ///   - lockTimeout: The maximum time to wait for the lock of each store.
    /// - Returns: The result.
    /// - Throws: `busy` if a store is not free within `lockTimeout`, or if both are the same store; `conflict` if another
    ///   writer changes the source again and again; the errors of the stores. After an error, at least one readable copy
    ///   is left.
    @discardableResult
    public func moveSession(
        from source: any SessionStore, to target: any SessionStore, lockTimeout: Duration = .seconds(10)
    ) async throws(StoreError) -> SessionMove {
        let slots = [StoreKey.Slot.session] + StoreKey.Slot.allCases.filter { $0 != .session }
        let keys = slots.map { StoreKey(provider: name, backend: backend, slot: $0) }
        let key = StoreKey(provider: name, backend: backend, slot: .session)
        let outcome = try await source.exclusively(key, lockTimeout: lockTimeout) { () -> Result<SessionMove, StoreError> in
            do throws(StoreError) {
                return try await target.exclusively(key, lockTimeout: lockTimeout) {
                    do throws(StoreError) {
                        return .success(try await Transfer(keys: keys, source: source, target: target).run())
                    } catch { return .failure(error) }
                }
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// The values of some keys during a move from one store to another.
private struct Transfer: Sendable {
    let keys: [StoreKey]
    let source: any SessionStore
    let target: any SessionStore

    func run() async throws(StoreError) -> SessionMove {
        /// The values that this move has written to the target.
        var written: [StoreKey: Revision] = [:]
        for _ in 0..<8 {
            let values = try await self.values(in: source)
            if values.isEmpty { return .nothingToMove }
            let there = try await self.values(in: target)
            // The reason of an earlier sign-out in the target is obsolete.
            for key in keys where key.slot != .signOut && (key.slot == .session || values[key] != nil) {
                guard let other = there[key], other.revision != written[key], other.bytes != values[key]?.bytes else { continue }
                return .occupied(key.slot)
            }
            for (key, value) in values where there[key]?.bytes != value.bytes {
                written[key] = try await target.replace(key, with: value.bytes, unlessChangedSince: there[key]?.revision)
            }
            for (key, value) in values {
                guard try await target.load(key)?.bytes == value.bytes else {
                    throw StoreError(
                        .unwritable,
                        "The target store does not return the value that was written to it. The source store is unchanged. Use the source store."
                    )
                }
            }
            if try await isRemoved(values) { return .moved(Set(values.keys.map(\.slot))) }
        }
        throw .changed
    }

    private func values(in store: any SessionStore) async throws(StoreError) -> [StoreKey: StoredValue] {
        var values: [StoreKey: StoredValue] = [:]
        for key in keys { values[key] = try await store.load(key) }
        return values
    }

    /// Removes the values from the source.
    ///
    /// - Returns: Whether they were unchanged and are removed.
    private func isRemoved(_ values: [StoreKey: StoredValue]) async throws(StoreError) -> Bool {
        // The session comes last. Otherwise a move that stopped halfway could leave a source without a session, which
        // would seem to contradict the target.
        for key in keys.reversed() {
            guard let value = values[key] else { continue }
            do throws(StoreError) {
                try await source.remove(key, unlessChangedSince: value.revision)
            } catch {
                if error.code == .conflict { return false }
                throw error
            }
        }
        return true
    }
}
