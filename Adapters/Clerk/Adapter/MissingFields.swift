internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The fields that a sign-up still requires.
struct MissingFields: VerificationStrategy {
    let api: ClerkAPI

    var capability: Capability { .requirements }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .fields }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .fields(let fields) = response, let id = flow[.signUp] else {
            throw AuthError(.responseNotAccepted, "This step takes fields.")
        }
        let form = fields.map { (name: $0.key.rawValue, value: $0.value) }.sorted { $0.name < $1.name }
        return try await api.step(
            ofSignUp: try await api.call(.patch, "/client/sign_ups/\(id)", form, in: flow), in: flow)
    }
}
