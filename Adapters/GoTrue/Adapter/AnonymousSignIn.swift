internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A guest's account: a sign-up without an identity.
struct AnonymousSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        var body: JSONObject = [:]
        switch purpose {
        case .signIn: break
        case .signUp(let profile):
            if let name = profile.displayName { body["data"] = ["display_name": .string(name)] }
        case .link, .reauthenticate:
            throw AuthError(.unsupported, "A guest has no credential, so a guest cannot be linked and cannot renew a sign-in.")
        }
        return .complete(try api.session(from: try await api.call(.post, "/signup", body: body)))
    }
}
