internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Retries failed store accesses while the client lives: after one second, then at growing intervals, up to a minute.
    ///
    /// A store that could not be read is read again; a session, a flow, a note or a removal that could not be written is written again.
    func retryPendingWritesLater() {
        let begins = core.withLock { core in
            guard core.isInDebt, !core.isSettling else { return false }
            core.isSettling = true
            return true
        }
        guard begins else { return }
        let clock = effects.clock
        Task { [weak self] in
            await TraceContext.$current.withValue(nil) {
                await CallDeadline.$uptime.withValue(nil) {
                    var pause = Duration.seconds(1)
                    while (try? await clock.sleep(for: pause)) != nil, let client = self, await client.isStillInDebt() {
                        pause = min(pause * 2, .seconds(60))
                    }
                }
            }
        }
    }

    private func isStillInDebt() async -> Bool {
        // The body throws nothing.
        try? await told("retryPendingWrites") { () async throws(AuthError) in
            let (isRestored, generation) = core.withLock { ($0.isRestored, $0.generation) }
            if isRestored {
                _ = await run(SessionOperation(.retryPendingWrite, in: generation))
                for slot in core.withLock({ Array($0.refused.keys) }) { await persist(slot) }
            } else {
                await restore()
            }
        }
        return core.withLock { core in
            core.isSettling = core.isInDebt
            return core.isSettling
        }
    }
}

extension ClientState {
    var isRestored: Bool {
        if case .ready = sessions.phase { true } else { false }
    }

    fileprivate var isInDebt: Bool {
        if case .unavailable = sessions.phase { true } else { sessions.pendingWrite != nil || !refused.isEmpty }
    }
}
