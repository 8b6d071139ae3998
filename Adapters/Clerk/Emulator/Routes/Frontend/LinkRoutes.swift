import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Links in emails: opened in a browser, or sent by a native app (https://clerk.com/docs/reference/frontend-api).
struct LinkRoutes {
    let context: RequestContext

    /// `GET /v1/verify`: handles a link that a person has opened.
    ///
    /// It verifies the address, completes the attempt, and redirects the browser.
    func open() throws -> Answer {
        let token = context.query["token"] ?? ""
        guard var link = try context.db.find(LinkRecord.self, "token = \(token)"), link.challenge == nil else {
            throw ClerkError.linkToken("invalid")
        }
        if link.expireAt <= context.now { return redirect(link, "expired") }
        if link.usedAt != nil { return redirect(link, "failed") }
        if context.settings.bindsLinksToClient, context.client?.id.exact != link.clientID.exact {
            return redirect(link, "client_mismatch")
        }
        let opener = context.client
        guard let owner = try context.clients.find(id: link.clientID) else {
            throw ClerkError.linkToken("stale")
        }
        context.client = owner
        defer { context.client = opener }
        guard let session = try context.linkCompletion.finish(link, openedBy: opener?.id ?? link.clientID) else {
            return redirect(link, "failed")
        }
        link.usedAt = context.now
        try context.db.save(link)
        return redirect(link, "verified", session: session)
    }

    /// `POST /v1/client/magic_links/complete`: a native app sends the values of its link, and verifies that it
    /// requested the link.
    func complete() throws -> Answer {
        let flow = try context.form.required("flow_id")
        let token = try context.form.required("approval_token")
        let verifier = try context.form.required("code_verifier")
        guard var link = try context.db.find(LinkRecord.self, "flow_id = \(flow)"), let challenge = link.challenge,
            Secret(link.token) == Secret(token)
        else { throw ClerkError.approvalInvalid }
        if link.usedAt != nil { throw ClerkError.approvalConsumed }
        if link.expireAt <= context.now { throw ClerkError.approvalExpired }
        guard Challenge.matches(verifier: verifier, challenge: challenge) else { throw ClerkError.wrongVerifier }
        link.usedAt = context.now
        try context.db.save(link)
        guard let owner = try context.clients.find(id: link.clientID) else { throw ClerkError.approvalInvalid }
        context.client = owner
        return try context.linkCompletion.approve(link)
    }

    private func redirect(_ link: LinkRecord, _ status: String, session: String? = nil) -> Answer {
        var query = [("__clerk_status", status)]
        if let session, !session.isEmpty { query.append(("__clerk_created_session", session)) }
        context.redirect = Redirects.adding(query, to: link.redirectURL)
        return .page("The link is \(status).")
    }
}
