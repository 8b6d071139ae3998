internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A code by e-mail.
///
/// The same message may hold a link, which is taken as well.
struct EmailCodeSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: EmailCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        try await api.signIn(byMailTo: credential.email, createsAccount: credential.createsAccount, for: purpose, in: flow)
    }
}

extension GoTrueAPI {
    /// GoTrue has one message for link and code: the project's template decides which of them it contains.
    func signIn(
        byMailTo email: String, createsAccount: Bool, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> SignInStep {
        flow.prepare(for: purpose)
        switch purpose {
        case .signUp(let profile):
            var body: JSONObject = ["email": .string(email), "create_user": true]
            if let name = profile.displayName { body["data"] = ["display_name": .string(name)] }
            return .verify(try await send(.signIn, to: email, .post, "/otp", body: body, in: flow).challenge)
        case .signIn:
            flow[.createsAccount] = createsAccount ? "yes" : "no"
            return .verify(try await sendSignInMail(email, in: flow))
        case .reauthenticate:
            flow[.createsAccount] = "no"
            return .verify(try await sendSignInMail(email, in: flow))
        case .link(let session):
            return try await changeEmail(of: session, to: email, in: flow)
        }
    }
}
