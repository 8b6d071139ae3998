internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseAPI {
    /// The step for the answer to a proof: a session, or a second factor, which Firebase asks for before it gives tokens.
    func step(for response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if let pending = response.object["mfaPendingCredential"]?.filled {
            flow[.pendingCredential] = pending
            flow[.factors] = (response.object["mfaInfo"]?.array ?? []).compactMap(FactorChoice.init(firebase:))
            return .secondFactor(SecondFactor(api: self).step(in: flow))
        }
        return try await step(for: try await session(for: try tokens(response)), in: flow)
    }

    /// The step for a session: an unproven address makes it a limited one.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if flow.requiresAnotherUser(than: session) {
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the right user") }
            throw AuthError(.userMismatch, "Another user than the one signed in gave the proof. The session stays as it was.")
        }
        guard session.user.standing == .unverified, flow.flow.kind != .reauthentication else { return .complete(session) }
        return try await confirmAddress(of: session, in: flow)
    }
}

extension FactorChoice {
    /// Reads one of the second factors that an answer names.
    init?(firebase object: JSON) {
        guard let id = object["mfaEnrollmentId"]?.filled else { return nil }
        let name = object["displayName"]?.filled
        if object["totpInfo"] != nil {
            self.init(id: id, kind: .authenticatorApp, label: name)
        } else if let phone = object["phoneInfo"]?.filled {
            self.init(id: id, kind: .phone, label: name ?? phone)
        } else {
            return nil
        }
    }
}
