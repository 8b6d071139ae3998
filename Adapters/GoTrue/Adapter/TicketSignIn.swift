internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A ticket of the team's own server: the `hashed_token` that an administrator's `generate_link` gives for a magic link.
struct TicketSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        flow.prepare(for: purpose)
        switch purpose {
        case .signIn, .reauthenticate: break
        case .signUp, .link:
            throw AuthError(.unsupported, "GoTrue's tickets are for accounts that exist: sign in with it.")
        }
        let body: JSONObject = ["type": "email", "token_hash": .string(credential.token.reveal())]
        do {
            return try await api.step(for: try api.session(from: try await api.call(.post, "/verify", body: body)), in: flow)
        } catch  where error.provider?.code == "otp_expired" {
            var error = error
            error.code = .invalidCredentials
            error.message = "The ticket is wrong, was used, or has ended. Ask the server for another."
            error.remedies = [.startAgain]
            throw error
        }
    }
}
