internal import Lockstep
internal import LockstepPrimitives

/// A second factor: the choice of one, and its code.
struct FactorProof: VerificationStrategy {
    let link: InMemoryLink
    var capability = Capability.secondFactor

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor || response == .code }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        switch response {
        case .factor(let choice):
            let hasBackup = flow["backup"] != nil
            guard choice.kind == .authenticatorApp || choice.kind == .backupCode && hasBackup else {
                throw AuthError(.invalidInput, "The user has no such second factor.")
            }
            flow["chosen"] = Secret(choice.kind.rawValue)
            return .secondFactor(link.factorStep(flow, choice.kind, hasBackup: hasBackup))
        case .code(let code):
            if let added = flow["added"] { return link.step(try await link.backend.give(firstCode: code, to: added), flow) }
            return try await link.give(factorCode: code, in: flow)
        default: throw AuthError(.responseNotAccepted, "This step takes a factor or its code.")
        }
    }
}

/// A new password that the project demands at a sign-in.
struct DemandedPassword: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.newPasswordStep

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && kind != .passwordReset
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .newPassword(let password) = response else {
            throw AuthError(.responseNotAccepted, "This step takes a new password and nothing else.")
        }
        return link.step(try await link.backend.set(demandedPassword: password, for: flow["waiting"] ?? ""), flow)
    }
}

/// The fields that the project demands.
struct DemandedFields: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.requirements

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .fields }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .fields(let fields) = response else {
            throw AuthError(.responseNotAccepted, "This step takes fields and nothing else.")
        }
        return link.step(try await link.backend.give(fields: fields, to: flow["waiting"] ?? ""), flow)
    }
}

extension InMemoryLink {
    /// The step of a user's second factors, one of which is chosen.
    func factorStep(_ flow: FlowMemory, _ chosen: FactorChoice.Kind, hasBackup: Bool) -> SecondFactorStep {
        var choices = [FactorChoice(id: "app", kind: .authenticatorApp)]
        if hasBackup { choices.append(FactorChoice(id: "backup", kind: .backupCode)) }
        let channel: Challenge.Channel = chosen == .backupCode ? .backupCode : .authenticatorApp
        return SecondFactorStep(
            flow: flow.flow, challenge: Challenge(flow: flow.flow, channel: channel, destination: "", accepts: [.code]),
            choices: choices)
    }

    func give(factorCode code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        let isBackup = flow["chosen"]?.reveal() == FactorChoice.Kind.backupCode.rawValue
        return step(try await backend.give(factorCode: code, isBackup: isBackup, to: flow["waiting"] ?? ""), flow)
    }
}

/// The user's own authenticator app.
struct InMemoryFactorEnrolment: SecondFactors {
    let link: InMemoryLink

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        let (user, hasFactor) = try await link.backend.hasFactor(session.accessToken)
        return (user, hasFactor ? [FactorChoice(id: "app", kind: .authenticatorApp)] : [])
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        guard factor.kind == .authenticatorApp else {
            throw AuthError(.unsupported, "This backend has authenticator apps as second factors.")
        }
        let (handle, key) = try await link.backend.beginFactor(session.accessToken)
        flow["added"] = handle
        let challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        return FactorEnrolment(challenge: challenge, key: key)
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.removeFactor(session.accessToken))
    }
}
