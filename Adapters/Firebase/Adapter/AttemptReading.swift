internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseAPI {
    /// The step for the answer to a proof: a session, or a second factor, which Firebase asks for before it gives tokens.
    func step(for response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if let pending = response.object["mfaPendingCredential"]?.filled {
            flow[.pendingCredential] = Secret(pending)
            let factors = response.object["mfaInfo"]?.array ?? []
            flow[.factors] = factors.compactMap(FactorChoice.init(firebase:))
            // A factor's label is the name that its owner gave it, where there is one.
            flow[.recipients] = factors.compactMap { factor in
                guard let id = factor["mfaEnrollmentId"]?.filled, let phone = factor["phoneInfo"]?.filled else { return nil }
                return FactorChoice(id: id, kind: .phone, label: phone)
            }
            return .secondFactor(SecondFactor(api: self).step(in: flow))
        }
        return try await step(for: try await session(for: try tokens(response)), in: flow)
    }

    /// The step for the answer to a proof that counts once: where the user cannot be read after it, the same answer of the user goes on
    /// with the tokens that it has brought.
    func step(forSpent response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard response.object["mfaPendingCredential"] == nil else { return try await step(for: response, in: flow) }
        let tokens = try tokens(response)
        flow[.unfinishedSession] = tokens.session(of: User(id: tokens.userID ?? ""))
        flow.complete(.proof)
        return try await step(forSpent: try await session(for: tokens), in: flow)
    }

    /// The same for the session that the proof has made: it is kept until its step is there, which may need a message to be sent.
    private func step(forSpent session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        do {
            let step = try await step(for: session, in: flow)
            flow[.unfinishedSession] = nil
            return step
        } catch {
            if error.code == .userMismatch { flow[.unfinishedSession] = nil }
            throw error
        }
    }

    /// The step of a flow whose proof has counted, and whose user could not be read then; `nil` where no proof was taken.
    func resumed(in flow: FlowMemory) async throws(AuthError) -> SignInStep? {
        guard flow.hasCompleted(.proof), var session = flow[.unfinishedSession] else { return nil }
        if session.lifetime.needsRefresh(on: clock) { session = try await renewed(session) }
        let user = try await user(as: session.accessToken, claims: session.claims)
        guard user.id == session.user.id else { throw ErrorMapping.incomplete("the right user") }
        session.user = user
        return try await step(forSpent: session, in: flow)
    }

    /// The step of a flow that adds something to the signed-in user, where a proof whose answer was lost has added it; `nil` where it has not.
    func added(in flow: FlowMemory, _ isThere: (User) -> Bool) async throws(AuthError) -> SignInStep? {
        guard var session = flow.session else { return nil }
        session.user = try await user(as: session.accessToken, claims: session.claims)
        return isThere(session.user) ? .complete(try await renewed(session)) : nil
    }

    /// The step for a session: an unproven address makes it a limited one.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        if flow.requiresAnotherUser(than: session) {
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the right user") }
            throw .anotherUser
        }
        guard session.user.standing == .unverified, flow.flow.kind != .reauthentication else { return .complete(session) }
        return try await confirmAddress(of: session, in: flow)
    }
}

extension AuthError {
    /// The proof of a reauthentication is not of the user who is signed in.
    static let anotherUser = AuthError(
        .userMismatch, "Another user than the one signed in gave the proof. The session stays as it was.")
}
