internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Adds a new address, which replaces the old one once it is proven.
struct OwnEmailChange: EmailChange {
    let api: ClerkAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        flow.client = session.refreshToken
        let added = try await api.about(session, .post, "/me/email_addresses", [("email_address", email)]).resource()
        flow[.identification] = added["id"]?.string
        flow[.destination] = EmailAddress.masked(email)
        return .verify(try await api.sendNewAddressCode(in: flow))
    }
}

extension ClerkAPI {
    /// Asks for the code of the new address.
    func sendNewAddressCode(in flow: FlowMemory) async throws(AuthError) -> Challenge {
        let id = flow[.identification] ?? ""
        let response = try await call(
            .post, "/me/email_addresses/\(id)/prepare_verification", [("strategy", "email_code")], in: flow)
        flow[.stage] = Stage.newAddress.rawValue
        flow[.strategy] = "email_code"
        return challenge(try response.resource()["verification"], response.date, in: flow)
    }

    /// Proves the new address, makes it the primary one, and removes the old one.
    func proveNewAddress(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> Session {
        guard let session = flow.session, let id = flow[.identification] else {
            throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])
        }
        if !flow.completed.contains("the new address was proven") {
            _ = try await about(session, .post, "/me/email_addresses/\(id)/attempt_verification", [("code", code.reveal())])
            flow.complete("the new address was proven")
        }
        let old = session.user.fields["primary_email_address_id"]?.string
        let response = try await about(session, .patch, "/me", [("primary_email_address_id", id)])
        if let old, old != id { _ = try await about(session, .delete, "/me/email_addresses/\(old)") }
        var changed = try self.session(session, with: response)
        changed = try await ClerkSessions(api: self).reload(changed)
        return changed
    }
}
