internal import LockstepPrimitives
internal import Synchronization

/// A sensitive call that waits for the flow in which its user signs in again; in memory only.
struct BoundCall: Sendable {
    var call: SensitiveCall
    var flow: Flow.ID
    /// Until when it can run, by the clock's uptime.
    var end: Duration

    /// How long the user has for the flow where the provider gives no limit: after that the call would come as a surprise.
    static let life = Duration.seconds(15 * 60)
}

extension ClientState {
    /// Forgets a call whose flow is not the one in progress any more: it was cancelled or abandoned, or has ended.
    mutating func forgetBoundCall() {
        if let bound, bound.flow != pending?.memory.flow.id { self.bound = nil }
    }
}

extension AuthClient {
    /// Binds a call to the flow in progress: it runs once, when that is completed.
    func bind(_ call: SensitiveCall, to flow: Flow) {
        change { core in
            guard core.pending?.memory.flow.id == flow.id else { return }
            core.bound = BoundCall(call: call, flow: flow.id, end: effects.clock.uptime + BoundCall.life)
        }
    }

    /// The call that is bound to a flow, while both live.
    func boundCall(of record: FlowRecord) -> SensitiveCall? {
        let hasEnded = record.step?.challenge?.expiresAt.map { $0 < effects.clock.now } ?? false
        return change { core in
            guard let bound = core.bound, bound.flow == record.memory.flow.id else { return nil }
            guard !hasEnded, effects.clock.uptime < bound.end else {
                core.bound = nil
                return nil
            }
            return bound.call
        }
    }

    /// Runs a call after the user has signed in again, with a deadline of its own.
    func run(_ call: SensitiveCall, after step: SignInStep) async throws(AuthError) -> SignInStep {
        switch call {
        case .deleteAccount: try await account.delete()
        case .changePassword(let new, let current): try await account.changePassword(to: new, current: current)
        case .changeEmail(let email): return try await account.changeEmail(to: email)
        }
        return step
    }
}
