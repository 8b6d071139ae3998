internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The sign-in with a code by email.
///
/// The same message may contain a link, which is also accepted.
struct EmailCodeSignIn: SignInStrategy {
    let api: GoTrueAPI

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: EmailCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        try await api.signIn(byMailTo: credential.email, createsAccount: credential.createsAccount, for: purpose, in: flow)
    }
}

extension GoTrueAPI {
    /// GoTrue has one message for links and codes: the project's template decides which of them it contains.
    func signIn(
        byMailTo email: String, createsAccount: Bool, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        flow.prepare(for: purpose)
        switch purpose {
        case .signUp(let profile):
            var body: JSONObject = ["email": .string(email), "create_user": true]
            body["data"] = profile.data
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

/// The sign-in with a link by email.
///
/// The same message may contain a code, which is also accepted.
struct EmailLinkSignIn: SignInStrategy {
    let api: GoTrueAPI

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        try await api.signIn(byMailTo: credential.email, createsAccount: credential.createsAccount, for: purpose, in: flow)
    }
}

/// A code by SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: GoTrueAPI

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        let phone = credential.phone
        switch purpose {
        case .signUp(let profile):
            var body: JSONObject = ["phone": .string(phone), "create_user": true, "channel": "sms"]
            body["data"] = profile.data
            return .verify(try await api.send(.signInByPhone, to: phone, .post, "/otp", body: body, in: flow).challenge)
        case .signIn: return .verify(try await api.sendSignInSMS(phone, in: flow))
        case .reauthenticate:
            flow[.createsAccount] = "no"
            return .verify(try await api.sendSignInSMS(phone, in: flow))
        case .link(let session): return try await link(phone, to: session, in: flow)
        }
    }

    private func link(_ phone: String, to session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        do {
            let (response, challenge) = try await api.send(
                .phoneChange, to: phone, .put, "/user", body: ["phone": .string(phone), "channel": "sms"],
                as: session.accessToken,
                in: flow)
            let user = try User(goTrue: response.object)
            return user.phone == phone ? .complete(api.outdated(session, user: user)) : .verify(challenge)
        } catch  where error.code == .phoneAlreadyInUse {
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.phoneCode]))
        }
    }
}
