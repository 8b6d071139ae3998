internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Codes: of a sign-up's address, of a first or second factor, of a new address.
struct CodeVerification: VerificationStrategy {
    let api: ClerkAPI

    /// Where links prove the addresses of sign-ups, codes are for signing in.
    var capability: Capability { api.configuration.confirmsByLink ? .emailCodeSignIn : .confirmationCode }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .code(let code) = response else { throw AuthError(.responseNotAccepted, "This step takes a code.") }
        let form = [
            (name: "strategy", value: flow[.strategy]?.split(separator: " ").first.map(String.init) ?? "email_code"),
            (name: "code", value: code.reveal()),
        ]
        switch flow[.stage].flatMap(ClerkAPI.Stage.init) {
        case .address:
            let id = flow[.signUp] ?? ""
            return try await api.step(
                ofSignUp: try await api.call(.post, "/client/sign_ups/\(id)/attempt_verification", form, in: flow), in: flow)
        case .firstFactor:
            let id = flow[.signIn] ?? ""
            return try await api.step(
                ofSignIn: try await api.call(.post, "/client/sign_ins/\(id)/attempt_first_factor", form, in: flow), in: flow)
        case .secondFactor:
            let id = flow[.signIn] ?? ""
            return try await api.step(
                ofSignIn: try await api.call(.post, "/client/sign_ins/\(id)/attempt_second_factor", form, in: flow), in: flow)
        case .newAddress: return .complete(try await api.proveNewAddress(code, in: flow))
        case nil: throw AuthError(.flowNotFound, "This flow expects no code.", remedies: [.startAgain])
        }
    }
}
