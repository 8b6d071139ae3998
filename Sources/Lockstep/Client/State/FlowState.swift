internal import LockstepPrimitives

/// The flow in progress, and the remaining data of ended flows.
struct FlowState: Sendable {
    var pending: FlowRecord? {
        didSet { if captchaRetry?.flow != pending?.memory.flow.id { captchaRetry = nil } }
    }
    /// The call in the current flow for which the backend requires a captcha.
    var captchaRetry: CaptchaRetry?
    /// The suspended verification of an unverified user's address.
    ///
    /// It continues when the flow in progress ends.
    var suspendedVerification: FlowRecord?
    /// A sensitive call that runs when the flow in progress is completed.
    var bound: BoundCall?
    /// A call of several requests that failed after some of them, and that can be continued.
    var interrupted: FlowRecord?
    /// The verification that the provider returned with an identity conflict, for the sign-in to the other account.
    var conflict: FlowRecord?
    /// The address of a sign-up with a password whose response was lost; its account may exist.
    var unansweredSignUp: String?
    /// Sequence number of the last flow; results of older flows are rejected.
    var lastOrdinal = 0
    var currentOrdinal = 0

    /// Returns the current step of a flow; `nil` if the flow is not in progress.
    func step(of flow: Flow?) -> AuthStep? {
        guard let flow, pending?.memory.flow.id == flow.id else { return nil }
        return pending?.step
    }

    /// Returns whether a newer flow is in progress than the flow with this sequence number.
    func hasFlow(after ordinal: Int) -> Bool { pending.map { $0.ordinal > ordinal } ?? false }

    /// Removes every flow; later responses are rejected.
    mutating func abandon() {
        pending = nil
        suspendedVerification = nil
        interrupted = nil
        conflict = nil
        unansweredSignUp = nil
        rejectAnswers()
    }

    /// Makes the client reject later responses to all current flows.
    mutating func rejectAnswers() {
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }

    /// Uses the flows that the store contained at the start of the app.
    mutating func restore(_ stored: StoredFlows) {
        pending = stored.pending
        interrupted = stored.interrupted
        conflict = stored.conflict
        lastOrdinal = pending?.ordinal ?? 0
        currentOrdinal = lastOrdinal
    }

    /// Removes a bound call if its flow is no longer in progress: the flow was cancelled or abandoned, or has ended.
    mutating func forgetBoundCall() {
        if let bound, bound.flow != pending?.memory.flow.id { self.bound = nil }
    }
}

// MARK: Expired flows

extension FlowState {
    /// Returns whether a flow, or a call that waits for a captcha, has expired.
    func hasOld(on clock: any DeviceClock) -> Bool {
        [pending, interrupted, conflict].contains { $0?.isOver(on: clock) == true } || hasOldRetry(on: clock)
    }

    private func hasOldRetry(on clock: any DeviceClock) -> Bool {
        captchaRetry.map { !$0.isUnderWay && $0.lifetime.remaining(on: clock) <= .zero } ?? false
    }

    /// Removes expired flows; a later response to one of them is rejected.
    ///
    /// - Returns: Whether a flow had expired.
    @discardableResult
    mutating func endOld(on clock: any DeviceClock) -> Bool {
        guard hasOld(on: clock) else { return false }
        if hasOldRetry(on: clock), !leaveCaptcha() { pending = nil }
        if interrupted?.isOver(on: clock) == true { interrupted = nil }
        if conflict?.isOver(on: clock) == true { conflict = nil }
        guard pending?.isOver(on: clock) == true else { return true }
        pending = nil
        rejectAnswers()
        return true
    }
}

// MARK: Captchas

extension FlowState {
    /// The flow in progress, as it is stored.
    ///
    /// A step that waits for a captcha is not stored, because its call is only in memory.
    var storedPending: FlowRecord? {
        guard let pending, pending.acceptsCaptcha else { return pending }
        return recordBeforeCaptcha
    }

    var recordBeforeCaptcha: FlowRecord? {
        guard let pending, let retry = captchaRetry, retry.flow == pending.memory.flow.id, var former = retry.former else {
            return nil
        }
        former.memory = pending.memory
        former.ordinal = pending.ordinal
        former.steps = pending.steps
        return former
    }

    /// Returns to the step before the call for which the backend requires a captcha.
    ///
    /// - Returns: Whether there was such a step.
    mutating func leaveCaptcha() -> Bool {
        guard let former = recordBeforeCaptcha else { return false }
        pending = former
        captchaRetry = nil
        return true
    }
}
