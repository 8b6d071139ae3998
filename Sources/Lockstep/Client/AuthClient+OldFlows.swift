internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends expired flows, so that abandoned ones do not keep their secrets for ever.
    func endOldFlows() async {
        let now = effects.clock.now
        guard core.withLock({ $0.hasOldFlow(at: now) }) else { return }
        change { core in
            core.endOldFlows(at: now)
            self.askForProof(&core)
        }
        await persist(.flow)
    }
}

extension ClientState {
    /// Whether a flow has expired.
    func hasOldFlow(at now: Instant) -> Bool { [pending, interrupted].contains { $0?.isOver(at: now) == true } }

    /// Forgets expired flows; an answer of theirs that is still on its way is rejected.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func endOldFlows(at now: Instant) -> Bool {
        guard hasOldFlow(at: now) else { return false }
        if interrupted?.isOver(at: now) == true { interrupted = nil }
        guard pending?.isOver(at: now) == true else { return true }
        pending = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
        return true
    }
}

extension FlowRecord {
    /// Whether it has expired; see ``Flow/longestLife``.
    fileprivate func isOver(at now: Instant) -> Bool {
        let end = memory.flow.startedAt + Flow.longestLife
        return now > max(end, step?.challenge?.expiresAt ?? end)
    }
}
