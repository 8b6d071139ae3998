internal import LockstepPrimitives
internal import Synchronization

/// A call that the client repeats with the token of a captcha.
///
/// The call is only in memory, because it may contain a password.
struct CaptchaRetry: Sendable {
    var flow: Flow.ID
    /// The flow's previous step, if there was one; for example, if the call requested another message.
    var former: FlowRecord?
    /// The time during which the call can be repeated.
    var lifetime: TokenLifetime
    /// Whether the user has sent a token and the call with that token is in progress.
    var isUnderWay = false
    /// Repeats the call.
    var call: @Sendable (Secret) async throws(AuthError) -> AuthStep

    /// The maximum time that a password waits in memory for a captcha.
    static let life = BoundCall.life
}

extension FlowCoordinator {
    /// Turns a call that was rejected because it had no captcha into a step that accepts a captcha.
    ///
    /// - Throws: `flowAbandoned` if a newer flow, a sign-out or another user came first. In that case nothing is
    ///   changed.
    func askForCaptcha(
        _ memory: FlowMemory, _ generation: Int, _ again: @escaping @Sendable () async throws(AuthError) -> AuthStep
    ) async throws(AuthError) -> AuthStep {
        let lifetime = TokenLifetime(life: CaptchaRetry.life, clock: effects.clock)
        let retry = CaptchaRetry(flow: memory.flow.id, lifetime: lifetime) { token async throws(AuthError) in
            memory.give(captcha: token)
            return try await again()
        }
        let challenge = Challenge(flow: memory.flow, channel: .captcha, destination: "", accepts: [.captcha])
        return try await apply(.verify(challenge), memory, generation, captcha: retry)
    }

    /// Repeats the call that requires a captcha, with the captcha's token.
    ///
    /// If the call is rejected for another reason, the flow is the same as before the call.
    ///
    /// - Throws: `responseNotAccepted` while the call is in progress with another token; `flowNotFound` if the call is
    ///   more than 15 minutes old.
    func respond(withCaptcha token: Secret, on record: FlowRecord) async throws(AuthError) -> AuthStep {
        let flow = record.memory.flow
        let retry = context.state.withLock { state -> CaptchaRetry? in
            guard let retry = state.flows.captchaRetry, retry.flow == flow.id,
                retry.lifetime.remaining(on: effects.clock) > .zero
            else { return nil }
            state.flows.captchaRetry?.isUnderWay = true
            return retry
        }
        guard let retry else {
            await leaveCaptcha(of: flow)
            throw AuthError(
                .flowNotFound, "The call that required the captcha has expired. Start it again.", remedies: [.startAgain]
            )
        }
        guard !retry.isUnderWay else {
            throw AuthError(.responseNotAccepted, "A captcha was already sent, and its call is in progress. Wait for that call.")
        }
        let bound = boundCall(of: record)
        let step: AuthStep
        do throws(AuthError) {
            step = try await retry.call(token)
        } catch {
            if error.isVerdict {
                await leaveCaptcha(of: flow)
            } else {
                context.state.withLock { state in
                    if state.flows.captchaRetry?.flow == flow.id { state.flows.captchaRetry?.isUnderWay = false }
                }
            }
            throw error
        }
        guard case .complete = step, let bound else { return step }
        return try await self.retry(bound, after: step)
    }

    /// Returns to the step before the call, or ends the flow if there was none.
    private func leaveCaptcha(of flow: Flow) async {
        let isEnded = sessions.change { state in
            guard state.flows.pending?.memory.flow.id == flow.id, state.flows.pending?.acceptsCaptcha == true else {
                return false
            }
            return !state.flows.leaveCaptcha()
        }
        if isEnded { await endSpent(flow) } else { await sessions.persist(.flow) }
    }
}
