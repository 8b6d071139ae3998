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
        if let name = purpose.displayName { body["data"] = ["display_name": .string(name)] }
        return .complete(try api.session(from: try await api.call(.post, "/signup", body: body, captcha: flow.takeCaptcha())))
    }
}
