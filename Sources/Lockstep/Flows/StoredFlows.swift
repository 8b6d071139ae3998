internal import LockstepPrimitives

/// A flow as the client keeps it: the step in progress and the adapter's notes.
struct FlowRecord: Sendable, Codable, Equatable {
    /// A digest that identifies a repetition of the flow's first call.
    ///
    /// It does not contain the address.
    var fingerprint: String
    var ordinal: Int
    var unfinished: UnfinishedStep?
    var memory: FlowMemory.Contents
    /// The number of codes that all processes have tried at the current step; `nil` if there were none.
    ///
    /// A new step or a new message resets the number to zero.
    var guesses: Int?
    /// The time until the message of this step can be sent again, measured independently of the clock's setting.
    ///
    /// It is `nil` if the step sends no message, and in records that older versions wrote.
    var resendWait: TokenLifetime?
    /// The number of steps of the flow so far, in all processes; `nil` in records that older versions wrote.
    var steps: Int?
    /// The time for which the record is kept; `nil` for the usual lifetime of a flow.
    var life: TokenLifetime?

    var step: AuthStep? { unfinished?.step }

    /// Returns the time until the step's message can be sent again.
    ///
    /// It is zero or less if the message can be sent now, and `nil` if it can never be sent again.
    func timeToResend(on clock: any DeviceClock) -> Duration? {
        guard let available = step?.challenge?.resendAvailableAt else { return nil }
        return resendWait?.remaining(on: clock) ?? available - clock.now
    }

    /// Returns the number of codes that this client has tried at the step since it last read the stored record.
    fileprivate func guessesSince(_ old: FlowRecord?) -> Int {
        let isSameStep = old?.memory.flow.id == memory.flow.id && old?.steps == steps
        return (guesses ?? 0) - (isSameStep ? old?.guesses ?? 0 : 0)
    }

    /// The record as it is stored.
    var stored: FlowRecord {
        var copy = self
        copy.memory.unstored = [:]
        return copy
    }

    /// Whether the record has expired; see ``Flow/longestLife``.
    func isOver(on clock: any DeviceClock) -> Bool {
        if let life { return life.remaining(on: clock) <= .zero }
        let end = memory.flow.startedAt + Flow.longestLife
        return clock.now > max(end, step?.challenge?.expiresAt ?? end)
    }
}

/// The content of the store's flow slot.
struct StoredFlows: Sendable, Codable, Equatable {
    var pending: FlowRecord?
    var interrupted: FlowRecord?
    /// The verification that the provider returned with an identity conflict, as the memory of the sign-in to the other
    /// account.
    var conflict: FlowRecord?

    var ids: Set<String> { Set([pending, interrupted, conflict].compactMap { $0?.memory.flow.id }) }

    /// Returns the flows that a sign-out does not remove: flows without a user that another process started since.
    func surviving(_ signOut: FlowWipe) -> StoredFlows {
        StoredFlows(
            pending: pending.flatMap { signOut.spares($0) ? $0 : nil },
            interrupted: interrupted.flatMap { signOut.spares($0) ? $0 : nil },
            conflict: conflict.flatMap { signOut.spares($0) ? $0 : nil })
    }
}

/// A sign-out whose stored flows must still be removed.
struct FlowWipe: Sendable, Equatable {
    /// The generation that began with the sign-out.
    var generation: Int
    /// The time of the sign-out, according to the device's clock.
    var instant: Instant

    fileprivate func spares(_ record: FlowRecord) -> Bool {
        record.memory.user == nil && record.memory.flow.startedAt > instant
    }
}

/// Merges a client's flows with the stored flows, because other processes also write to the store.
///
/// A flow that this client has not changed since it last read the store stays as it is stored. A flow that this client
/// has changed is written, unless another process has cancelled or replaced it, or has continued it further.
struct FlowMerge: Sendable {
    /// The content of the store afterwards.
    private(set) var result: StoredFlows
    /// The stored flows from which the client's flows are derived after the merge.
    private(set) var base: StoredFlows

    private let mine: StoredFlows
    private let theirs: StoredFlows
    private let isDamaged: Bool

    /// Merges the client's flows with the stored flows.
    ///
    /// - Parameters:
    ///   - mine: The client's flows.
    ///   - base: The stored flows from which the client's flows were derived.
    ///   - theirs: The current content of the store.
    ///   - isDamaged: Whether the store contained bytes that could not be decoded.
    init(_ mine: StoredFlows, from base: StoredFlows, with theirs: StoredFlows, isDamaged: Bool) {
        (self.mine, self.base, self.theirs, self.isDamaged) = (mine, base, theirs, isDamaged)
        result = theirs
        let known = base.ids
        merge(\.pending, known)
        merge(\.interrupted, known)
        merge(\.conflict, known)
    }

    private mutating func merge(_ place: WritableKeyPath<StoredFlows, FlowRecord?>, _ known: Set<String>) {
        let (old, there) = (base[keyPath: place], theirs[keyPath: place])
        guard let own = mine[keyPath: place]?.stored else {
            if there?.memory.flow.id == old?.memory.flow.id { result[keyPath: place] = nil }
            base[keyPath: place] = nil
            return
        }
        if !isDamaged {
            let id = own.memory.flow.id
            if own == old || known.contains(id) && !theirs.ids.contains(id) { return }
            if let there, there.memory.flow.id == id, there.steps ?? 0 > own.steps ?? 0 {
                // Adds the codes of this process to the step that another process has reached.
                let tried = own.guessesSince(old)
                guard tried != 0 else { return }
                result[keyPath: place]?.guesses = max(0, (there.guesses ?? 0) + tried)
                base[keyPath: place]?.guesses = own.guesses
                return
            }
        }
        var merged = own
        if let there, there.memory.flow.id == own.memory.flow.id, there.steps == own.steps {
            let total = max(0, (there.guesses ?? 0) + own.guessesSince(old))
            merged.guesses = total == 0 ? own.guesses.map { _ in 0 } : total
        }
        result[keyPath: place] = merged
        base[keyPath: place] = merged
    }
}

/// A step that can be stored: every step except a session.
enum UnfinishedStep: Sendable, Codable, Equatable {
    case verify(Challenge)
    case secondFactor(SecondFactorStep)
    case newPassword(NewPasswordStep)
    case redirect(RedirectStep)
    case moreInformation(MissingFieldsStep)
    case identityConflict(IdentityConflictStep)
    case other(OtherStep)

    init?(_ step: AuthStep) {
        switch step {
        case .complete: return nil
        case .verify(let challenge): self = .verify(challenge)
        case .secondFactor(let step): self = .secondFactor(step)
        case .newPassword(let step): self = .newPassword(step)
        case .redirect(let step): self = .redirect(step)
        case .moreInformation(let step): self = .moreInformation(step)
        case .identityConflict(let step): self = .identityConflict(step)
        case .other(let step): self = .other(step)
        }
    }

    var step: AuthStep {
        switch self {
        case .verify(let challenge): .verify(challenge)
        case .secondFactor(let step): .secondFactor(step)
        case .newPassword(let step): .newPassword(step)
        case .redirect(let step): .redirect(step)
        case .moreInformation(let step): .moreInformation(step)
        case .identityConflict(let step): .identityConflict(step)
        case .other(let step): .other(step)
        }
    }
}

extension FlowRecord {
    /// Whether its step waits for a captcha.
    var acceptsCaptcha: Bool { step?.accepts == [.captcha] }
}
