internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Ends the flows whose life is over: what was abandoned does not keep its secrets for ever.
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
    /// Whether a flow's life is over.
    func hasOldFlow(at now: Instant) -> Bool { [pending, interrupted].contains { $0?.isOver(at: now) == true } }

    /// Forgets the flows whose life is over; an answer of theirs that is still on its way counts no more.
    mutating func endOldFlows(at now: Instant) {
        if interrupted?.isOver(at: now) == true { interrupted = nil }
        guard pending?.isOver(at: now) == true else { return }
        pending = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }
}

extension FlowRecord {
    /// Whether its life is over; see ``Flow/longestLife``.
    fileprivate func isOver(at now: Instant) -> Bool {
        let end = memory.flow.startedAt + Flow.longestLife
        return now > max(end, step?.challenge?.expiresAt ?? end)
    }
}
