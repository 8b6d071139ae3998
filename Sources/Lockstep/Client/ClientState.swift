internal import LockstepPrimitives

/// What a write of the flows slot has done.
struct FlowsWritten: Sendable {
    fileprivate var base: StoredFlows
    /// The flow in progress, and the number of codes by this client and by all that the write has counted.
    fileprivate var counted: (flow: String, own: Int, all: Int)?
    fileprivate var wiped: FlowWipe?
}

/// The whole state of a client, as one value under one lock: the session, and the flow in progress.
struct ClientState: Sendable {
    var sessions = SessionMachine()
    /// The refresh of this generation, which every caller that needs one joins.
    var refreshing = Shared<SessionOperation.Outcome>()
    /// The making of backup codes of this generation: a second one would void what the first has shown.
    var renewingBackupCodes = Shared<Result<[Secret], AuthError>>()
    var pending: FlowRecord? {
        didSet { if captchaRetry?.flow != pending?.memory.flow.id { captchaRetry = nil } }
    }
    /// The call of the flow in progress that a captcha was asked for.
    var captchaRetry: CaptchaRetry?
    /// The proof of an unverified user's address while another flow is in progress: it is due again when that one ends.
    var proofAside: FlowRecord?
    /// A sensitive call that runs when the flow in progress is completed.
    var bound: BoundCall?
    /// A call of several requests that failed part way and can be continued.
    var interrupted: FlowRecord?
    /// The proof that came with an identity conflict, for the sign-in into the other account.
    var conflict: FlowRecord?
    /// The address of a sign-up by password whose answer did not come: its account may be there.
    var unansweredSignUp: String?
    /// Sequence number of the last flow; results of older flows are rejected.
    var lastOrdinal = 0
    var currentOrdinal = 0
    /// The stored forms that the flows of this client descend from.
    var storedFlows = StoredFlows()
    /// The sign-out whose stored flows remain to be removed; `nil` when they are gone.
    var wipesFlows: FlowWipe?
    /// The adapters' notes about this device since they were last written.
    var deviceChanges: [String: Secret?] = [:]
    /// The changes to make in the stored list of revocations.
    var revocations = RevocationChanges()
    /// The slots whose last write failed: they are retried.
    var refused: [StoreKey.Slot: StoreFailure] = [:]
    /// The slots to write after a session has ended.
    var unwritten: Set<StoreKey.Slot> = []
    /// Whether the store may hold revocations that were not sent yet.
    var hasUnsentRevocations = false
    /// Whether the retry loop is running.
    var isSettling = false
    var nextTicket = 0
    var subscribers: [Int: AsyncStream<AuthState>.Continuation] = [:]
    var shown: AuthState?
    var followers: [Int: AsyncStream<ClientSnapshot>.Continuation] = [:]
    var lastSnapshot: ClientSnapshot?

    var session: Session? { sessions.session }
    /// The current step of a flow; `nil` where it is not in progress.
    func step(of flow: Flow?) -> SignInStep? {
        guard let flow, pending?.memory.flow.id == flow.id else { return nil }
        return pending?.step
    }

    var generation: Int { sessions.generation }

    var snapshot: ClientSnapshot {
        ClientSnapshot(state: authState, pending: pending?.step, identifier: pending?.memory.address)
    }

    var authState: AuthState {
        switch sessions.phase {
        case .restoring: return .restoring
        case .unavailable(let failure): return .unavailable(failure)
        case .ready: break
        }
        let challenge: Challenge? =
            if case .verify(let challenge) = pending?.step, challenge.flow.kind == .confirmation { challenge } else { nil }
        guard let session else {
            return if let challenge { .unverified(PendingAccount(challenge: challenge)) } else { .signedOut(sessions.reason) }
        }
        switch session.user.standing {
        case .anonymous: return .anonymous(session)
        case .unverified:
            return .unverified(PendingAccount(challenge: challenge ?? otherChallenge(of: session), session: session))
        case .verified: return .signedIn(session)
        }
    }

    /// What an unverified user is asked for while another flow than the proof is in progress, such as a password reset.
    ///
    /// When that one ends, the proof is asked for again.
    private func otherChallenge(of session: Session) -> Challenge {
        if let challenge = pending?.step?.challenge { return challenge }
        let flow =
            pending?.memory.flow
            ?? Flow(id: "confirm", kind: .confirmation, capability: .password, startedAt: session.lifetime.receivedAt)
        return Challenge(
            flow: flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "",
            accepts: pending?.step?.accepts ?? [])
    }

    /// Takes an event of an operation; the flows of a user who is signed out are removed with the session.
    mutating func take(
        _ event: SessionOperation.Event, of operation: inout SessionOperation, _ effects: ClientEffects
    ) -> SessionOperation.Action {
        let before = generation
        let action = operation.take(event, &sessions, effects)
        if generation != before {
            leaveSharedCalls()
            conflict = nil
            if case .enter = operation.purpose {
            } else {
                abandonFlows()
                sessionHasEnded(at: effects.clock.now)
            }
        }
        if session?.user.standing != .unverified, session != nil, pending?.memory.flow.kind == .confirmation { pending = nil }
        return action
    }

    /// Forgets the session and every flow, as the app has asked; answers still on their way are rejected.
    mutating func signOut(because reason: SignOutReason, at now: Instant) {
        sessions.signOut(because: reason, isAskedFor: true)
        leaveSharedCalls()
        abandonFlows()
        sessionHasEnded(at: now)
    }

    /// The calls under way end for those who have joined them, and are joined by no caller of the next session.
    private mutating func leaveSharedCalls() {
        refreshing = Shared()
        renewingBackupCodes = Shared()
    }

    /// Prepares the writes after a session's end: that the user's flows are gone, and why it ended.
    private mutating func sessionHasEnded(at now: Instant) {
        unwritten.insert(.flow)
        guard session == nil, sessions.reason.isKept else { return }
        wipesFlows = FlowWipe(generation: generation, instant: now)
        unwritten.insert(.signOut)
    }

    mutating func ticket() -> Int {
        nextTicket += 1
        return nextTicket
    }

    /// Publishes a change to every subscriber, inside the lock, so that all see all changes in one order.
    ///
    /// - Returns: the new state, where it differs for a subscriber.
    mutating func publish() -> AuthState? {
        let snapshot = snapshot
        if lastSnapshot?.looksLike(snapshot) != true {
            lastSnapshot = snapshot
            for follower in followers.values { follower.yield(snapshot) }
        }
        let state = snapshot.state
        guard shown.map({ $0.looksLike(state) }) != true else { return nil }
        shown = state
        for subscriber in subscribers.values { subscriber.yield(state) }
        return state
    }
}

extension ClientState {
    var isRestored: Bool {
        if case .ready = sessions.phase { true } else { false }
    }

    /// Whether a relaunch finds the client's state.
    var persistence: Persistence {
        let failure = sessions.refusal ?? StoreKey.Slot.allCases.lazy.compactMap { refused[$0] }.first
        return failure.map { .memoryOnly($0) } ?? .stored
    }

    /// Whether a store access has failed that is to be tried again.
    var hasPendingWrites: Bool {
        if case .unavailable = sessions.phase { true } else { sessions.pendingWrite != nil || !refused.isEmpty }
    }
}

// MARK: Flows

extension ClientState {
    mutating func abandonFlows() {
        pending = nil
        proofAside = nil
        interrupted = nil
        conflict = nil
        unansweredSignUp = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }

    /// Takes the flows that were stored when the app was started.
    mutating func restored(_ flows: StoredFlows?) {
        pending = flows?.pending
        interrupted = flows?.interrupted
        conflict = flows?.conflict
        storedFlows = flows ?? StoredFlows()
        lastOrdinal = pending?.ordinal ?? 0
        currentOrdinal = lastOrdinal
    }

    /// The change that brings the flows of this client into the store, and what to note when it is done.
    ///
    /// One that another process has begun is removed only by a sign-out.
    func flowsToStore(over slot: StoredSlot<StoredFlows>.Content) -> (StoredSlot<StoredFlows>.Change, FlowsWritten) {
        let there = slot.value ?? StoredFlows()
        let merge = FlowMerge(
            StoredFlows(pending: storedPending, interrupted: interrupted, conflict: conflict), from: storedFlows,
            with: wipesFlows.map { there.surviving($0) } ?? there, isDamaged: slot.isDamaged)
        var written = FlowsWritten(base: merge.base, wiped: wipesFlows)
        if let own = storedPending, let all = merge.result.pending, own.memory.flow.id == all.memory.flow.id {
            written.counted = (own.memory.flow.id, own.guesses ?? 0, all.guesses ?? 0)
            if written.base.pending?.memory.flow.id == own.memory.flow.id { written.base.pending?.guesses = all.guesses }
        }
        if merge.result == there { return (.keep, written) }
        return (merge.result.ids.isEmpty ? .remove : .write(merge.result), written)
    }

    /// Notes that the change is stored.
    mutating func stored(_ flows: FlowsWritten) {
        storedFlows = flows.base
        // What was counted here since the write began is counted on top.
        if let counted = flows.counted, counted.own != counted.all, pending?.memory.flow.id == counted.flow {
            let guesses = pending?.guesses ?? 0
            pending?.guesses = max(0, guesses + counted.all - counted.own)
        }
        if wipesFlows == flows.wiped { wipesFlows = nil }
    }

    /// Whether a flow has expired, or a call that a captcha was asked for.
    func hasOldFlow(on clock: any DeviceClock) -> Bool {
        [pending, interrupted, conflict].contains { $0?.isOver(on: clock) == true } || hasOldRetry(at: clock.uptime)
    }

    private func hasOldRetry(at uptime: Duration) -> Bool { captchaRetry.map { !$0.isUnderWay && $0.end <= uptime } ?? false }

    /// Forgets expired flows; an answer of theirs that is still on its way is rejected.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func endOldFlows(on clock: any DeviceClock) -> Bool {
        guard hasOldFlow(on: clock) else { return false }
        if hasOldRetry(at: clock.uptime), !leaveCaptcha() { pending = nil }
        if interrupted?.isOver(on: clock) == true { interrupted = nil }
        if conflict?.isOver(on: clock) == true { conflict = nil }
        guard pending?.isOver(on: clock) == true else { return true }
        pending = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
        return true
    }

    /// Whether the flow in progress is the proof of the address of the user who is signed in already: leaving it changes nothing.
    var isProofDue: Bool { pending.map(isDueProof) ?? false }

    private func isDueProof(_ record: FlowRecord) -> Bool {
        guard let session, session.user.standing == .unverified else { return false }
        return record.memory.flow.kind == .confirmation && record.memory.user == session.user.id
    }

    /// Begins a flow, or goes on with it; a proof that is due waits meanwhile.
    mutating func setPending(_ record: FlowRecord) {
        if let pending, pending.memory.flow.id != record.memory.flow.id, isDueProof(pending) { proofAside = pending }
        pending = record
    }

    /// Gives an unverified session without a flow the proof that was due, or a new one, so that the app always has a challenge to show.
    mutating func askForProof(_ adapter: any AuthAdapter, _ effects: ClientEffects) {
        guard let session, session.user.standing == .unverified else {
            proofAside = nil
            return
        }
        guard pending == nil else { return }
        if var due = proofAside, isDueProof(due), !due.isOver(on: effects.clock) {
            due.ordinal = currentOrdinal
            pending = due
        } else {
            pending = newProof(of: session, adapter, effects)
        }
        proofAside = nil
    }

    /// A proof that no message was sent for, as far as this device knows.
    private func newProof(of session: Session, _ adapter: any AuthAdapter, _ effects: ClientEffects) -> FlowRecord {
        let flow = Flow(
            id: "confirm-" + effects.randomness.text(16), kind: .confirmation, capability: .password, startedAt: effects.clock.now
        )
        let memory = FlowMemory(FlowMemory.Contents(flow: flow, user: session.user.id), session: session)
        let challenge = adapter.addressProof?.challenge(for: session, in: memory) ?? adapter.plainProof(of: session, flow)
        return FlowRecord(
            fingerprint: "", ordinal: currentOrdinal, unfinished: .verify(challenge), memory: memory.contents)
    }

    /// Forgets a call whose flow is not the one in progress any more: it was cancelled or abandoned, or has ended.
    mutating func forgetBoundCall() {
        if let bound, bound.flow != pending?.memory.flow.id { self.bound = nil }
    }
}

extension AuthAdapter {
    /// What an unverified user can answer where the adapter does not say more: the proofs that need no message of this flow's.
    fileprivate func plainProof(of session: Session, _ flow: Flow) -> Challenge {
        let proofs = verification.filter { [.confirmationCode, .confirmationLink, .poll].contains($0.capability) }
        let accepts = ChallengeResponse.Kind.allCases.filter { kind in proofs.contains { $0.takes(kind, in: .confirmation) } }
        return Challenge(
            flow: flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "", accepts: Set(accepts),
            ending: accepts.isEmpty ? .webPage : nil)
    }
}
