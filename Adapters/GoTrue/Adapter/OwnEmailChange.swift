internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A new address: takes effect when it is proven, and the old one too where the project wants both proofs.
struct OwnEmailChange: EmailChange {
    let api: GoTrueAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        try await api.changeEmail(of: session, to: email, in: flow)
    }
}

extension GoTrueAPI {
    /// Asks for the proof of a new address, and of a guest's first one.
    func changeEmail(of session: Session, to email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        flow[.formerEmail] = session.user.email
        flow[.requiredUser] = session.user.id
        do {
            let (response, challenge) = try await send(
                .emailChange, to: email, .put, "/user", body: ["email": .string(email)], as: session.accessToken, in: flow)
            let user = try User(goTrue: response.object)
            return user.email?.lowercased() == email.lowercased() ? .complete(outdated(session, user: user)) : .verify(challenge)
        } catch {
            guard session.user.isAnonymous, error.code == .emailAlreadyInUse else { throw error }
            return .identityConflict(
                IdentityConflictStep(
                    flow: flow.flow, currentUserID: session.user.id, waysToSignIn: [.emailCodeSignIn, .password]))
        }
    }
}
