internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends a session at the backend: now if it can be reached, otherwise as soon as it answers again.
    ///
    /// It is noted before it is sent, so that an app which is closed while it waits sends it at its next start.
    func revoke(_ session: Session) async {
        let revocation = Revocation(ended: session, since: effects.clock.now)
        let isNoted = await changeRevocations { $0.append(revocation) }
        if await isHeard(revocation), isNoted { await changeRevocations { $0.removeAll { $0 == revocation } } }
    }

    /// Sends what could not be sent before; where another process does so already, what that one leaves.
    func sendRevocations() async {
        let isOwing = core.withLock { core in
            defer { core.owesRevocations = false }
            return core.owesRevocations
        }
        guard isOwing else { return }
        do throws(StoreError) {
            try await store.exclusively(key(.revocations), patience: options.patience) {
                for revocation in (try? await self.revocations()) ?? [] {
                    guard await self.isHeard(revocation) else { return self.core.withLock { $0.owesRevocations = true } }
                    await self.changeRevocations { $0.removeAll { $0 == revocation } }
                }
            }
        } catch {
            core.withLock { $0.owesRevocations = true }
        }
    }

    /// Whether there is nothing left to send: the backend has ended the session, or refuses for good to talk of it.
    private func isHeard(_ revocation: Revocation) async -> Bool {
        do throws(AuthError) {
            try await ask(within: options.farewell) { () async throws(AuthError) in
                try await self.adapter.sessions.revoke(revocation.ended, scope: .local)
            }
            return true
        } catch {
            core.withLock { $0.owesRevocations = true }
            return error.retry == .never && error.code != .cancelled
        }
    }

    private func revocations() async throws(StoreError) -> [Revocation] {
        guard let value = try await store.load(key(.revocations)) else { return [] }
        return (try? Envelope<[Revocation]>.value(of: value.bytes)) ?? []
    }

    /// - Returns: whether the change is stored.
    @discardableResult
    private func changeRevocations(_ body: @Sendable (inout [Revocation]) -> Void) async -> Bool {
        for _ in 0..<8 {
            do throws(StoreError) {
                let revision = try await store.load(key(.revocations))?.revision
                var list = try await revocations()
                body(&list)
                list = list.filter { effects.clock.now - $0.since < Revocation.patience }.suffix(Revocation.limit)
                guard !list.isEmpty else {
                    if let revision { try await store.remove(key(.revocations), unlessChangedSince: revision) }
                    return true
                }
                try await store.replace(key(.revocations), with: Envelope(list).bytes(), unlessChangedSince: revision)
                return true
            } catch  where error.code == .conflict {
                continue
            } catch {
                return false
            }
        }
        return false
    }
}
