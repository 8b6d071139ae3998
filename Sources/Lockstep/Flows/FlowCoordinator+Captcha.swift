internal import LockstepPrimitives
internal import Synchronization

/// A call that a captcha was asked for, to be made again with its token; in memory only, since it may hold a password.
struct CaptchaRetry: Sendable {
    var flow: Flow.ID
    /// The flow before the call, where it had a step: another message was asked for, for instance.
    var former: FlowRecord?
    /// How long the call can be made again.
    var lifetime: TokenLifetime
    /// Whether a token was given, and the call is under way with it.
    var isUnderWay = false
    /// Makes the call again.
    var call: @Sendable (Secret) async throws(AuthError) -> SignInStep

    /// How long a password waits for a captcha.
    static let life = BoundCall.life
}

extension FlowCoordinator {
    /// A call that was refused for the lack of a captcha becomes a step that takes one.
    ///
    /// - Throws: `flowAbandoned` where a newer flow, a sign-out or another user came first: nothing is changed then.
    func askForCaptcha(
        _ memory: FlowMemory, _ generation: Int, _ again: @escaping @Sendable () async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        let lifetime = TokenLifetime(life: CaptchaRetry.life, clock: effects.clock)
        let retry = CaptchaRetry(flow: memory.flow.id, lifetime: lifetime) { token async throws(AuthError) in
            memory.give(captcha: token)
            return try await again()
        }
        let challenge = Challenge(flow: memory.flow, channel: .captcha, destination: "", accepts: [.captcha])
        return try await apply(.verify(challenge), memory, generation, captcha: retry)
    }

    /// Makes the call that a captcha was asked for again, with the captcha's token.
    ///
    /// Where the call is refused for another reason, the flow is what it was before the call.
    ///
    /// - Throws: `responseNotAccepted` while it is under way with another token; `flowNotFound` a quarter of an hour after the call.
    func respond(withCaptcha token: Secret, on record: FlowRecord) async throws(AuthError) -> SignInStep {
        let flow = record.memory.flow
        let retry = context.state.withLock { core -> CaptchaRetry? in
            guard let retry = core.flows.captchaRetry, retry.flow == flow.id,
                retry.lifetime.remaining(on: effects.clock) > .zero
            else { return nil }
            core.flows.captchaRetry?.isUnderWay = true
            return retry
        }
        guard let retry else {
            await leaveCaptcha(of: flow)
            throw AuthError(
                .flowNotFound, "The call that the captcha was asked for is too long ago. Begin it again.", remedies: [.startAgain]
            )
        }
        guard !retry.isUnderWay else {
            throw AuthError(.responseNotAccepted, "A captcha was given already, and its call is under way. Wait for that one.")
        }
        let bound = boundCall(of: record)
        let step: SignInStep
        do throws(AuthError) {
            step = try await retry.call(token)
        } catch {
            if error.isVerdict {
                await leaveCaptcha(of: flow)
            } else {
                context.state.withLock { core in
                    if core.flows.captchaRetry?.flow == flow.id { core.flows.captchaRetry?.isUnderWay = false }
                }
            }
            throw error
        }
        guard case .complete = step, let bound else { return step }
        return try await run(bound, after: step)
    }

    /// Goes back to the step before the call, or ends the flow where there was none.
    private func leaveCaptcha(of flow: Flow) async {
        let isEnded = sessions.change { core in
            guard core.flows.pending?.memory.flow.id == flow.id, core.flows.pending?.acceptsCaptcha == true else { return false }
            return !core.flows.leaveCaptcha()
        }
        if isEnded { await endSpent(flow) } else { await sessions.persist(.flow) }
    }
}
