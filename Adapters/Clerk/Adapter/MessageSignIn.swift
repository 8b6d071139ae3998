internal import Lockstep
internal import LockstepPrimitives

/// A code by email.
struct EmailCodeSignIn: SignInStrategy {
    let api: ClerkAPI

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { if case .link = purpose { false } else { true } }

    func begin(_ credential: EmailCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .signUp(let profile) = purpose {
            return try await api.signUp([(AddressKind.email.rawValue, credential.email)], profile, in: flow)
        }
        if case .reauthenticate(let session) = purpose {
            return .verify(try await api.sendReverification(to: credential.email, of: session, in: flow))
        }
        flow.prepareClient()
        return .verify(try await api.sendCode("email_code", to: credential.email, in: flow))
    }
}

extension ClerkAPI {
    /// Begins a sign-in with an address or number.
    ///
    /// Clerk immediately sends a code to it.
    ///
    /// The response may not list the factor: if the instance hides accounts, an unknown address has no factors.
    func sendCode(_ strategy: String, to identifier: String, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let response: ClerkResponse
        do {
            response = try await begin([("identifier", identifier), ("strategy", strategy)], in: flow)
        } catch  where error.provider?.code == "strategy_for_user_invalid" {
            throw Self.notOffered(strategy, error.provider)
        }
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        let factor = attempt.factor("supported_first_factors", strategy)
        return try sent(.firstFactor, strategy, factor, to: identifier, response, in: flow)
    }

    /// Returns the error for an account that cannot sign in with this factor.
    static func notOffered(_ strategy: String, _ provider: ProviderDetail? = nil) -> AuthError {
        AuthError(.notEnabled, "The instance does not offer \(strategy) for this address.", provider: provider)
    }
}

/// A link by email that opens the app.
///
/// It works only with the verifier that this device keeps.
struct EmailLinkSignIn: SignInStrategy {
    let api: ClerkAPI

    var acceptsMetadata: Bool { true }

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .signUp(let profile) = purpose {
            return try await api.signUp([(AddressKind.email.rawValue, credential.email)], profile, in: flow)
        }
        flow.prepareClient()
        let response = try await api.begin([("identifier", credential.email)], in: flow)
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        guard let factor = attempt.factor("supported_first_factors", ClerkAPI.link) else {
            throw ClerkAPI.notOffered(ClerkAPI.link)
        }
        return .verify(try await api.send(.firstFactor, ClerkAPI.link, factor, in: flow))
    }
}

/// A code by SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: ClerkAPI

    var acceptsMetadata: Bool { true }

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .signUp(let profile) = purpose {
            return try await api.signUp([(AddressKind.phone.rawValue, credential.phone)], profile, in: flow)
        }
        flow.prepareClient()
        return .verify(try await api.sendCode("phone_code", to: credential.phone, in: flow))
    }
}
