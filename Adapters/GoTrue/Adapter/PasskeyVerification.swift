internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A passkey's signed result: to sign in, to add the passkey to the user, or as a second factor.
struct PasskeyVerification: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .passkey }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .passkey }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .passkey(let credential) = response, let challenge = flow[.passkeyChallenge] else {
            return try await SecondFactor(api: api).attempt(response, in: flow)
        }
        let body: JSONObject = ["challenge_id": .string(challenge), "credential": credential]
        guard flow[.ceremony] == "create" else {
            let response = try await api.call(.post, "/passkeys/authentication/verify", body: body)
            return try await api.step(for: try api.session(from: response), in: flow)
        }
        guard let session = flow.session else {
            throw AuthError(.notSignedIn, "No user is signed in, so the passkey cannot be added.", remedies: [.signIn])
        }
        _ = try await api.call(.post, "/passkeys/registration/verify", body: body, as: session.accessToken)
        return .complete(session)
    }
}
