internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A code by SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        flow.prepare(for: purpose)
        let phone = credential.phone
        switch purpose {
        case .signUp(let profile):
            var body: JSONObject = ["phone": .string(phone), "create_user": true, "channel": "sms"]
            if let name = profile.displayName { body["data"] = ["display_name": .string(name)] }
            return .verify(try await api.send(.signInByPhone, to: phone, .post, "/otp", body: body, in: flow).challenge)
        case .signIn: return .verify(try await api.sendSignInSMS(phone, in: flow))
        case .reauthenticate:
            flow[.createsAccount] = "no"
            return .verify(try await api.sendSignInSMS(phone, in: flow))
        case .link(let session): return try await link(phone, to: session, in: flow)
        }
    }

    private func link(_ phone: String, to session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        do {
            let (response, challenge) = try await api.send(
                .phoneChange, to: phone, .put, "/user", body: ["phone": .string(phone), "channel": "sms"],
                as: session.accessToken,
                in: flow)
            let user = try User(goTrue: response.object)
            return user.phone == phone ? .complete(api.outdated(session, user: user)) : .verify(challenge)
        } catch  where error.code == .phoneAlreadyInUse {
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, waysToSignIn: [.phoneCode]))
        }
    }
}
