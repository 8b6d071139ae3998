internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Links that come back to the app: from messages, and from the pages of identity providers.
struct LinkVerification: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .confirmationLink }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .link(let url) = response else {
            throw AuthError(.responseNotAccepted, "This step takes a link.")
        }
        switch CallbackProof(try Callback(url)) {
        case .code(let code): return try await exchange(code, in: flow)
        case .hash(let hash, let type): return try await verify(hash, type, in: flow)
        case .half:
            guard let challenge = api.pendingChallenge(in: flow) else { throw CallbackProof.unreadable }
            return .verify(challenge)
        case .none: throw CallbackProof.unreadable
        }
    }

    /// The code in a link is useless without the verifier that this device kept.
    private func exchange(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let verifier = flow[.verifier] else {
            throw AuthError(
                .flowStartedElsewhere, "This device did not begin the flow of this link.", remedies: [.enterCode, .startAgain])
        }
        let body: JSONObject = ["auth_code": .string(code.reveal()), "code_verifier": .string(verifier.reveal())]
        let response = try await api.call(.post, "/token", query: ["grant_type": "pkce"], body: body)
        let session = try api.session(from: response)
        flow[.verifier] = nil
        return try await api.step(for: session, in: flow)
    }

    /// Projects whose mail templates lead to the app directly put the token's hash into the link.
    ///
    /// Such a link is not bound to this device, so its user must be the one that the message went to.
    private func verify(_ hash: Secret, _ type: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let expected = flow[.email] else { throw CallbackProof.unreadable }
        let response = try await api.call(
            .post, "/verify", body: ["type": .string(type), "token_hash": .string(hash.reveal())])
        if !api.holdsSession(response), let challenge = api.pendingChallenge(in: flow) { return .verify(challenge) }
        let session = try api.session(from: response)
        guard session.user.email?.lowercased() == expected.lowercased() else {
            await api.leave(session)
            throw AuthError(.linkInvalid, "This link belongs to another address than the one that the flow was begun for.")
        }
        return try await api.step(for: session, in: flow)
    }
}
