internal import Lockstep
internal import LockstepPrimitives

/// The choice among second factors; the code is then taken like any other code.
struct SecondFactor: VerificationStrategy {
    let api: ClerkAPI

    var capability = Capability.secondFactor

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .factor }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .factor(let choice) = response else {
            throw AuthError(.responseNotAccepted, "This step takes a choice of factor.")
        }
        let choices = flow[.factors] ?? [choice]
        guard choices.contains(where: { $0.id == choice.id }) else {
            throw AuthError(.invalidInput, "The user has no such second factor.")
        }
        let parts = choice.id.split(separator: " ").map(String.init)
        guard let strategy = parts.first else { throw AuthError(.invalidInput, "The user has no such second factor.") }
        flow[.stage] = ClerkAPI.Stage.secondFactor.rawValue
        flow[.strategy] = strategy
        let challenge: Challenge
        switch choice.kind {
        case .phone, .email:
            let member = AddressKind(strategy: strategy).idMember
            challenge = try await api.send(
                .secondFactor, strategy,
                [member: .string(parts.last ?? ""), "safe_identifier": .string(choice.label ?? "")], in: flow)
        case .authenticatorApp:
            challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        case .backupCode:
            challenge = Challenge(flow: flow.flow, channel: .backupCode, destination: "", accepts: [.code])
        case .passkey: throw AuthError(.unsupported, "Clerk takes a passkey as first factor only.")
        }
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: choices))
    }
}
