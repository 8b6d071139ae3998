internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// A link by email.
///
/// Firebase always creates an account for an unknown address, except in a reauthentication: the address must then be the
/// user's own. The address of a link is never read from the link itself.
struct EmailLinkSignIn: SignInStrategy {
    let api: FirebaseAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .reauthenticate(let session) = purpose,
            session.user.email?.lowercased().exact != credential.email.lowercased().exact
        {
            throw AuthError(.userMismatch, "The address does not belong to the signed-in user. No message was sent.")
        }
        flow.prepare(for: purpose)
        flow[.newName] = purpose.displayName
        if case .link(let session) = purpose { flow[.identityBefore] = session.user.linkAddress }
        return .verify(try await api.send(.signIn, to: credential.email, in: flow))
    }
}

/// The sign-in with a code by SMS.
///
/// Firebase always creates an account for an unknown number, except in a reauthentication: the number must then be the
/// user's own. If the user has just verified the number and it belongs to another account, Firebase has returned a
/// verification, which signs in to that account without another SMS.
struct PhoneCodeSignIn: SignInStrategy {
    let api: FirebaseAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .reauthenticate(let session) = purpose, session.user.phone != credential.phone {
            throw AuthError(.userMismatch, "The number does not belong to the signed-in user. No message was sent.")
        }
        flow.prepare(for: purpose)
        flow[.newName] = purpose.displayName
        if case .link(let session) = purpose { flow[.identityBefore] = session.user.phone }
        if case .signIn = purpose, let step = try await step(ofConflictAbout: credential.phone, in: flow) { return step }
        return .verify(try await api.sendCode(to: credential.phone, in: flow))
    }

    /// Signs in with the verification that Firebase returned with a conflict.
    ///
    /// - Returns: `nil` if there is none, or if Firebase no longer accepts it.
    private func step(ofConflictAbout phone: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        if let step = try await api.resumed(in: flow) { return step }
        guard let proof = flow[.temporaryProof] else { return nil }
        flow[.temporaryProof] = nil
        let body: JSONObject = ["phoneNumber": .string(phone), "temporaryProof": .string(proof.reveal())]
        let response: JSONResponse
        do {
            response = try await api.call("accounts:signInWithPhoneNumber", body, secrets: [proof])
        } catch  where error.provider?.code == "INVALID_TEMPORARY_PROOF" {
            return nil
        }
        return try await api.step(forSpent: response, in: flow)
    }
}
