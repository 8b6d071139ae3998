internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Email address and password.
struct PasswordSignIn: SignInStrategy {
    let api: ClerkAPI

    var acceptsMetadata: Bool { true }

    /// Clerk adds an address and a password in other ways than with a sign-in.
    func supports(_ purpose: CredentialPurpose) -> Bool { if case .link = purpose { false } else { true } }

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        switch purpose {
        case .signUp(let profile):
            let form = [
                (name: AddressKind.email.rawValue, value: credential.email),
                (name: "password", value: credential.password.reveal()),
            ]
            return try await api.signUp(form, profile, in: flow)
        case .signIn, .link: return try await signIn(credential, in: flow)
        case .reauthenticate(let session): return try await api.reverify(credential, of: session, in: flow)
        }
    }

    private func signIn(_ credential: PasswordCredential, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow.prepareClient()
        let form = [(name: "identifier", value: credential.email), (name: "password", value: credential.password.reveal())]
        let response: ClerkResponse
        do {
            response = try await api.begin(form, in: flow)
        } catch  where [.userNotFound, .invalidCredentials].contains(error.code) {
            guard let step = try await resumeSignUp(credential, in: flow) else { throw error }
            return step
        }
        return try await api.step(ofSignIn: response, in: flow)
    }

    /// Continues a sign-up of this device whose address is not verified yet.
    ///
    /// Until then, no user of Clerk has the address, and the verification decides who owns it. The latest password is
    /// valid.
    private func resumeSignUp(_ credential: PasswordCredential, in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        guard let (id, email) = flow.signUpInProgress, email.lowercased() == credential.email.lowercased(), flow.client != nil
        else { return nil }
        let response: ClerkResponse
        do {
            response = try await api.call(
                .patch, "/client/sign_ups/\(id)", [("password", credential.password.reveal())], in: flow)
        } catch  where error.code == .flowNotFound {
            flow.signUpInProgress = nil
            return nil
        }
        return try await api.step(ofSignUp: response, in: flow)
    }
}

extension ClerkAPI {
    /// Begins a sign-up, with the captcha that the app has passed (`captcha_token`); a sign-in needs no captcha (FAPI
    /// `createSignUps`).
    func beginSignUp(
        _ form: [(name: String, value: String)], in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        let captcha = flow.takeCaptcha().map { [(name: "captcha_token", value: $0.reveal())] } ?? []
        return try await begin(form + captcha, at: "/client/sign_ups", in: flow)
    }

    /// Begins an attempt; uses a new client if the old one is gone or still has a signed-in user.
    func begin(
        _ form: [(name: String, value: String)], at path: BackendPath = "/client/sign_ins", in flow: FlowMemory
    ) async throws(AuthError) -> ClerkResponse {
        do {
            return try await call(.post, path, form, in: flow)
        } catch
            where ["session_exists", "identifier_already_signed_in", "client_not_found", "authentication_invalid"]
            .contains(error.provider?.code) && flow.client != nil
        {
            flow.client = Secret("")
            return try await call(.post, path, form, in: flow)
        }
    }
}
