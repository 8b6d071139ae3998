internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// Second factors: GoTrue gives a session by one factor, and another one of the same id by two.
struct SecondFactor: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .secondFactor }

    func takes(_ answer: Answer.Kind, in kind: Flow.Kind) -> Bool { answer == .factor }

    /// The step for a user of these factors.
    ///
    /// Where an authenticator app is the only one there is nothing to choose.
    func step(_ factors: [FactorChoice], in flow: FlowMemory) -> SecondFactorStep {
        var challenge: Challenge?
        if factors.count == 1, let factor = factors.first, factor.kind == .authenticatorApp {
            flow.note(.factor, factor.id)
            challenge = asking(.authenticatorApp, "", in: flow)
        }
        return SecondFactorStep(flow: flow.flow, challenge: challenge, choices: factors)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let factor = flow.unfinishedSession?.user.goTrueFactors.first(where: { $0.id == flow.text(.factor) }),
            factor.kind == .phone
        else { throw AuthError(.unsupported, "This second factor sends no message.") }
        return try await sendCode(to: factor, in: flow)
    }

    func attempt(_ answer: Answer, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let session = flow.unfinishedSession else {
            throw AuthError(.answerNotAccepted, "This flow waits for no second factor.", remedies: [.startAgain])
        }
        switch answer {
        case .factor(let choice): return try await choose(choice, session, in: flow)
        case .code(let code): return try await give(code, session, in: flow)
        default: throw AuthError(.answerNotAccepted, "This step takes a factor or its code.")
        }
    }

    private func choose(_ choice: FactorChoice, _ session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        let factors = session.user.goTrueFactors
        guard let factor = factors.first(where: { $0.id == choice.id }) else {
            throw AuthError(.invalidInput, "The user has no such second factor.")
        }
        let challenge: Challenge
        switch factor.kind {
        case .authenticatorApp: challenge = asking(.authenticatorApp, "", in: flow)
        case .phone: challenge = try await sendCode(to: factor, in: flow)
        default: throw AuthError(.unsupported, "This version takes authenticator apps and phones as second factors.")
        }
        flow.note(.factor, factor.id)
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: factors))
    }

    private func give(_ code: Secret, _ session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let factor = flow.text(.factor) else {
            throw AuthError(.answerNotAccepted, "Choose a second factor first.")
        }
        let challenge: String
        if let sent = flow.text(.factorChallenge) {
            challenge = sent
        } else {
            // An authenticator app's challenge says nothing and ends after minutes, so each code gets one of its own.
            challenge = try await openChallenge(of: factor, body: nil, session)
        }
        let body: JSONObject = ["challenge_id": .string(challenge), "code": .string(code.reveal())]
        let answer = try await api.call(.post, "/factors/\(factor)/verify", body: body, as: session.accessToken)
        let fresh = try api.session(from: answer)
        flow.unfinishedSession = nil
        flow[.factor] = nil
        flow[.factorChallenge] = nil
        return try await api.step(for: fresh, in: flow)
    }

    private func sendCode(to factor: FactorChoice, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let session = flow.unfinishedSession else {
            throw AuthError(.answerNotAccepted, "This flow waits for no second factor.", remedies: [.startAgain])
        }
        flow.note(.factorChallenge, try await openChallenge(of: factor.id, body: ["channel": "sms"], session))
        var challenge = asking(.sms, factor.label ?? "", in: flow)
        challenge.resendAvailableAt = api.clock.now + api.configuration.resendInterval
        return challenge
    }

    private func openChallenge(of factor: String, body: JSONObject?, _ session: Session) async throws(AuthError) -> String {
        let answer = try await api.call(.post, "/factors/\(factor)/challenge", body: body, as: session.accessToken)
        guard let id = answer.object["id"]?.filled else { throw ErrorMapping.incomplete("the challenge's id") }
        return id
    }

    private func asking(_ channel: Challenge.Channel, _ destination: String, in flow: FlowMemory) -> Challenge {
        Challenge(flow: flow.flow, channel: channel, destination: destination, accepts: [.code])
    }
}
