internal import LockstepPrimitives
internal import Synchronization

/// A call that waits for a captcha; in memory only, since it may hold a password.
struct WaitingCall: Sendable {
    var flow: Flow.ID
    /// The step of the flow before the call, where it had one: another message was asked for, for instance.
    var former: SignInStep?
    /// Makes the call again, with the captcha's token.
    var again: @Sendable (Secret) async throws(AuthError) -> SignInStep
}

extension FlowCoordinator {
    /// A call that was refused for the lack of a captcha becomes a step that takes one.
    func askForCaptcha(
        _ memory: FlowMemory, _ generation: Int, _ again: @escaping @Sendable () async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        let flow = memory.flow
        let challenge = Challenge(flow: flow, channel: .captcha, destination: "", accepts: [.captcha])
        sessions.change { core in
            let before = core.pending?.memory.flow.id == flow.id ? core.pending?.step : nil
            let former = before?.accepts == [.captcha] ? core.waiting?.former : before
            core.waiting = WaitingCall(flow: flow.id, former: former) { token async throws(AuthError) in
                memory.give(captcha: token)
                return try await again()
            }
        }
        do throws(AuthError) {
            return try await apply(.verify(challenge), memory, generation)
        } catch {
            sessions.change { if $0.waiting?.flow == flow.id, $0.pending?.memory.flow.id != flow.id { $0.waiting = nil } }
            throw error
        }
    }

    /// Takes the token of a captcha: the call that waits for it is made again.
    ///
    /// Where the call is refused for another reason, the flow is what it was before the call.
    func give(captcha token: Secret, on record: FlowRecord) async throws(AuthError) -> SignInStep {
        let flow = record.memory.flow
        guard let call = context.state.withLock({ $0.waiting }), call.flow == flow.id else {
            await endSpent(flow)
            throw AuthError(
                .flowNotFound, "The call that waits for the captcha was of an earlier run of the app. Begin it again.",
                remedies: [.startAgain])
        }
        let bound = boundCall(of: record)
        let step: SignInStep
        do throws(AuthError) {
            step = try await call.again(token)
        } catch {
            if error.retry == .never { await leaveCaptcha(of: flow, for: call.former) }
            throw error
        }
        guard case .complete = step, let bound else { return step }
        return try await run(bound, after: step)
    }

    private func leaveCaptcha(of flow: Flow, for former: SignInStep?) async {
        guard let former else { return await endSpent(flow) }
        sessions.change { core in
            guard core.pending?.memory.flow.id == flow.id else { return }
            core.pending?.unfinished = UnfinishedStep(former)
            core.waiting = nil
        }
        await sessions.persist(.flow)
    }
}
