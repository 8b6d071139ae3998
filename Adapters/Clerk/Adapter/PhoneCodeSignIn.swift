internal import Lockstep

/// A code by SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        if case .signUp(let profile) = purpose {
            return try await api.signUp([(AddressKind.phone.rawValue, credential.phone)], profile, in: flow)
        }
        try purpose.mustBeSignIn()
        flow.prepareClient()
        return .verify(try await api.sendCode("phone_code", to: credential.phone, in: flow))
    }
}
