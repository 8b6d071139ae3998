internal import Lockstep

/// A code by SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: PhoneCodeCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        try purpose.mustBeSignIn()
        flow.prepareClient()
        return .verify(try await api.sendCode("phone_code", to: credential.phone, in: flow))
    }
}
