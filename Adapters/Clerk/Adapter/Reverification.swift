internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The reauthentication for a sensitive call: Clerk verifies the session again, and the session continues (FAPI
/// `/client/sessions/{id}/verify`).
struct RenewedSignIn: Reauthentication {
    /// Returns the ways to verify the session again: the password if the account has one, and a code to the account's
    /// own address.
    func ways(for session: Session) -> [Capability] {
        let hasPassword = session.user.fields["password_enabled"]?.bool == true
        return (hasPassword ? [.password] : []) + (session.user.isEmailVerified ? [.emailCodeSignIn] : [])
    }
}

extension ClerkAPI {
    /// Verifies a session again with the password.
    func reverify(
        _ credential: PasswordCredential, of session: Session, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        _ = try addressID(of: credential.email, session)
        flow.client = session.refreshToken
        try await beginReverification(in: flow)
        let form = [(name: "strategy", value: "password"), (name: "password", value: credential.password.reveal())]
        return try await step(ofReverification: try await attempt(.reverification, form, in: flow), in: flow)
    }

    /// Sends the code with which the user verifies the session again, to an address of the user.
    func sendReverification(to email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow.client = session.refreshToken
        let address = try addressID(of: email, session)
        try await beginReverification(in: flow)
        return try await send(
            .reverification, AddressKind.email.codeStrategy,
            [AddressKind.email.idMember: .string(address), "safe_identifier": .string(email)], in: flow)
    }

    /// Returns the step of a session that is verified again, in its current status.
    func step(ofReverification response: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard var session = flow.session else {
            throw AuthError(.notSignedIn, "No user is signed in, so no session can be verified again.", remedies: [.signIn])
        }
        let attempt = try response.resource()
        switch attempt["status"]?.string {
        case "complete":
            if let client = response.client { session.refreshToken = client }
            // Only a new token contains the time of the verification.
            return .complete(try await ClerkSessions(api: self).refresh(session))
        case "needs_second_factor": return secondFactor(.secondReverification, of: attempt, in: flow)
        case let status: return .other(OtherStep(flow: flow.flow, status: status ?? "none"))
        }
    }

    /// Requests each factor that the user has; if there is no second factor, Clerk requires only the first (FAPI
    /// `startSessionReverification`).
    private func beginReverification(in flow: FlowMemory) async throws(AuthError) {
        do {
            _ = try await call(.post, path(of: .reverification, in: flow), [("level", "multi_factor")], in: flow)
        } catch  where error.code == .flowNotFound {
            guard let session = flow.session else { throw error }
            throw await verdict(on: session.id, client: session.refreshToken, after: error)
        }
    }

    /// Returns Clerk's id of an address of the session's user.
    private func addressID(of email: String, _ session: Session) throws(AuthError) -> String {
        let own = session.user.identities.first { $0.provider == .email && $0.email?.lowercased() == email.lowercased() }
        guard let own else {
            throw AuthError(
                .userMismatch, "The address belongs to a different user than the signed-in user. Nothing was changed.")
        }
        return own.id
    }
}
