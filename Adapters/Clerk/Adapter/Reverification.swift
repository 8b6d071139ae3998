internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Signing in again for a sensitive call: Clerk proves the session anew, which goes on (FAPI `/client/sessions/{id}/verify`).
struct RenewedSignIn: Reauthentication {
    /// By the password, where the account has one; by a code to its own address.
    func ways(for session: Session) -> [Capability] {
        let hasPassword = session.user.fields["password_enabled"]?.bool == true
        return (hasPassword ? [.password] : []) + (session.user.isEmailVerified ? [.emailCodeSignIn] : [])
    }
}

extension ClerkAPI {
    /// Proves a session anew by the password.
    func reverify(_ credential: PasswordCredential, of session: Session) async throws(AuthError) -> Session {
        _ = try addressID(of: credential.email, session)
        let path = try await beginReverification(of: session)
        let form = [(name: "strategy", value: "password"), (name: "password", value: credential.password.reveal())]
        return try await end(
            try await call(.post, path + "/attempt_first_factor", form, client: session.refreshToken), of: session)
    }

    /// Sends the code by which a session is proven anew, to an address of its user.
    func sendReverification(to email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        flow.client = session.refreshToken
        flow[.identification] = try addressID(of: email, session)
        flow[.destination] = EmailAddress.masked(email)
        return try await sendReverification(of: session, in: flow)
    }

    /// Sends that code again.
    func resendReverification(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard let session = flow.session else {
            throw AuthError(.notSignedIn, "No user is signed in, so no code can be sent.", remedies: [.signIn])
        }
        return try await sendReverification(of: session, in: flow)
    }

    /// Takes the code.
    func reverify(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let session = flow.session else { throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn]) }
        let form = [(name: "strategy", value: "email_code"), (name: "code", value: code.reveal())]
        let response = try await call(
            .post, reverification(of: session) + "/attempt_first_factor", form, client: session.refreshToken)
        return .complete(try await end(response, of: session))
    }

    private func sendReverification(of session: Session, in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let path = try await beginReverification(of: session)
        let form = [
            (name: "strategy", value: "email_code"), (name: "email_address_id", value: flow[.identification] ?? ""),
        ]
        let response = try await call(.post, path + "/prepare_first_factor", form, client: session.refreshToken)
        flow[.stage] = Stage.reverification.rawValue
        flow[.strategy] = "email_code"
        return challenge(try response.resource()["first_factor_verification"], response.date, in: flow)
    }

    private func reverification(of session: Session) -> BackendPath { "/client/sessions/\(session.id ?? "")/verify" }

    private func beginReverification(of session: Session) async throws(AuthError) -> BackendPath {
        let path = reverification(of: session)
        do {
            _ = try await call(.post, path, [("level", "first_factor")], client: session.refreshToken)
        } catch  where error.code == .flowNotFound {
            throw Self.ended(error)
        }
        return path
    }

    private func end(_ response: ClerkResponse, of session: Session) async throws(AuthError) -> Session {
        guard try response.resource()["status"]?.string == "complete" else {
            throw AuthError(
                .secondFactorRequired, "Clerk wants a second factor as well before this call.", remedies: [.secondFactor])
        }
        var proven = session
        if let client = response.client { proven.refreshToken = client }
        // Only a new token has the time of the proof.
        return try await ClerkSessions(api: self).refresh(proven)
    }

    /// Clerk's id of an address of the session's user.
    private func addressID(of email: String, _ session: Session) throws(AuthError) -> String {
        let own = session.user.identities.first { $0.provider == .email && $0.email?.lowercased() == email.lowercased() }
        guard let own else {
            throw AuthError(.userMismatch, "The address belongs to another user than the one signed in. Nothing was changed.")
        }
        return own.id
    }
}
