internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension GoTrueAPI {
    /// The step for a session that a proof has given.
    ///
    /// GoTrue issues it before a second factor and before a new password, so it need not be the end of the flow.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if flow.requiresAnotherUser(than: session) {
            await leave(session)
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the right user") }
            throw AuthError(.userMismatch, "Another user than the one signed in gave the proof. The session stays as it was.")
        }
        let factors = session.user.goTrueFactors
        if session.assurance == .oneFactor, !factors.isEmpty {
            flow[.unfinishedSession] = session
            return .secondFactor(SecondFactor(api: self).step(factors, in: flow))
        }
        if flow.flow.kind == .passwordReset {
            flow[.unfinishedSession] = session
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .reset))
        }
        return .complete(session)
    }

    /// Tries to end a session that the client does not keep.
    func leave(_ session: Session) async {
        try? await end(session, scope: .local)
    }
}
