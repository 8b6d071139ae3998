import Lockstep
import LockstepPrimitives

extension GoTrueAPI {
    /// What follows from a session that a proof has given: GoTrue hands it out before a second factor and before a new password,
    /// so neither may be taken for the end of the flow.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if let expected = flow.text(.user), expected != session.user.id {
            try? await signOut(session.accessToken, scope: .local)
            throw AuthError(.userMismatch, "Another user than the one signed in gave the proof. The session stays as it was.")
        }
        let factors = session.user.goTrueFactors
        if session.assurance == .oneFactor, !factors.isEmpty {
            keep(session, in: flow)
            return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: onlyChallenge(of: factors, in: flow), choices: factors))
        }
        if flow.flow.kind == .passwordReset {
            keep(session, in: flow)
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .reset))
        }
        if let former = flow[.formerToken] {
            // The session that this one takes the place of; when it cannot be ended now, it ends by itself.
            try? await signOut(former, scope: .local)
            flow[.formerToken] = nil
        }
        return .complete(session)
    }

    /// Keeps the tokens of a session that is not finished.
    private func keep(_ session: Session, in flow: FlowMemory) {
        flow[.accessToken] = session.accessToken
        flow[.refreshToken] = session.refreshToken
        flow.note(.user, session.user.id)
    }

    /// Where an authenticator app is the only factor there is nothing to choose and nothing to send.
    private func onlyChallenge(of factors: [FactorChoice], in flow: FlowMemory) -> Challenge? {
        guard factors.count == 1, let factor = factors.first, factor.kind == .authenticatorApp else { return nil }
        flow.note(.factor, factor.id)
        return Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
    }
}

extension FlowMemory {
    /// Prepares for a purpose: who the only user is that the flow may end with, and which session it takes the place of.
    func prepare(for purpose: Purpose) {
        switch purpose {
        case .signUp, .signIn: break
        case .link(let session):
            note(.user, session.user.id)
            self[.accessToken] = session.accessToken
        case .reauthenticate(let session):
            note(.user, session.user.id)
            self[.formerToken] = session.accessToken
        }
    }
}
