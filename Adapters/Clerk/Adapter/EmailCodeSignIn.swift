internal import Lockstep
internal import LockstepPrimitives

/// A code by e-mail.
struct EmailCodeSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: EmailCodeCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        try purpose.mustBeSignIn()
        flow.prepareClient()
        return .verify(try await api.sendCode("email_code", to: credential.email, in: flow))
    }
}

extension ClerkAPI {
    /// Begins a sign-in with an address or number alone, and asks for its code.
    func sendCode(_ strategy: String, to identifier: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let answer = try await begin([("identifier", identifier)], in: flow)
        let attempt = try answer.resource()
        flow.note(.signIn, attempt["id"]?.string)
        guard let factor = attempt.factor("supported_first_factors", strategy) else {
            throw AuthError(.notEnabled, "The instance offers no \(strategy) to this address.")
        }
        return try await sendFirstFactorCode(factor, strategy: strategy, in: flow)
    }
}

extension Purpose {
    /// Clerk adds identities to a user in other ways than by signing in.
    func mustBeSignIn() throws(AuthError) {
        switch self {
        case .signIn, .signUp: break
        case .link, .reauthenticate: throw AuthError(.unsupported, "Clerk does not take this credential for that purpose.")
        }
    }
}
