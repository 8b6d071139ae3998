internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The anonymous sign-in: a sign-up without an identity.
struct AnonymousSignIn: SignInStrategy {
    let api: GoTrueAPI

    var acceptsMetadata: Bool { true }

    func begin(_ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var body: JSONObject = [:]
        body["data"] = purpose.profile?.data
        return .complete(try api.session(from: try await api.call(.post, "/signup", body: body, captcha: flow.takeCaptcha())))
    }
}
