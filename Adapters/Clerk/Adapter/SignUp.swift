internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkAPI {
    /// Creates a sign-up from the values known so far, and returns the next step.
    ///
    /// It sends two requests: one for the sign-up, then one for the message. A call that stopped between them continues
    /// with the message.
    func signUp(
        _ form: [(name: String, value: String)], _ profile: SignUpProfile, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        if flow.completed.contains(Self.signUpMade), let strategy = flow[.strategy], flow[.signUp] != nil {
            return .verify(try await sendSignUpProof(of: AddressKind(strategy: strategy), in: flow))
        }
        flow.prepareClient()
        let response = try await create(form, profile, in: flow)
        if let id = try response.resource()["id"]?.filled {
            flow[.signUp] = id
            flow.signUpInProgress = form.first { $0.name == AddressKind.email.rawValue }.map { (id, $0.value) }
            flow[.strategy] = AddressKind.allCases.first { kind in form.contains { $0.name == kind.rawValue } }?.codeStrategy
        }
        flow.complete(Self.signUpMade)
        return try await step(ofSignUp: response, in: flow)
    }

    private static let signUpMade = "the sign-up was made"

    /// Creates the sign-up; if the instance has no names and rejects them, the name is stored in the user's own
    /// metadata.
    private func create(
        _ form: [(name: String, value: String)], _ profile: SignUpProfile, in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        func extended(by metadata: JSONObject) -> [(name: String, value: String)] {
            metadata.isEmpty ? form : form + [("unsafe_metadata", JSON.object(metadata).text())]
        }
        guard let name = profile.displayName else { return try await beginSignUp(extended(by: profile.metadata), in: flow) }
        do {
            return try await beginSignUp(extended(by: profile.metadata) + PersonName(name).form, in: flow)
        } catch  where error.provider?.code == "form_param_unknown" {
            var metadata = profile.metadata
            metadata["display_name"] = .string(name)
            return try await beginSignUp(extended(by: metadata), in: flow)
        }
    }
}

/// The fields that a sign-up still requires.
struct MissingFields: VerificationStrategy {
    let api: ClerkAPI

    var capability: Capability { .requirements }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .fields }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .fields(let fields) = response, let id = flow[.signUp] else {
            throw AuthError(.responseNotAccepted, "This step accepts only fields.")
        }
        let form = fields.map { (name: $0.key.rawValue, value: $0.value) }.sorted { $0.name < $1.name }
        return try await api.step(
            ofSignUp: try await api.call(.patch, "/client/sign_ups/\(id)", form, in: flow), in: flow)
    }
}
