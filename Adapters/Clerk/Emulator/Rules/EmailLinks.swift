internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Links in mails: created, opened in a browser, or sent by a native app (https://clerk.com/docs/reference/frontend-api).
struct EmailLinks {
    let context: RequestContext

    /// A new link for an attempt of this client, and the address to mail.
    func make(_ purpose: LinkRecord.Purpose, attempt: String) throws -> (link: LinkRecord, url: String) {
        let form = context.form
        let isNative = form.text("redirect_uri") != nil || form.text("code_challenge") != nil
        let target = try form.required(isNative ? "redirect_uri" : "redirect_url")
        try Redirects(context: context).check(target)
        if isNative {
            guard try form.required("code_challenge_method") == "S256" else {
                throw ClerkError.invalidValue("code_challenge_method", form["code_challenge_method"] ?? "")
            }
        }
        let link = LinkRecord(
            token: context.token(), flowID: context.id(.flow), purpose: purpose, attemptID: attempt,
            clientID: try context.clientOrNew().id, redirectURL: target,
            challenge: isNative ? try form.required("code_challenge") : nil,
            expireAt: context.now + context.settings.linkLifetime)
        let url =
            isNative
            ? Redirects.adding([("flow_id", link.flowID), ("approval_token", link.token)], to: target)
            : Redirects.adding([("token", link.token)], to: "\(context.state.base)/v1/verify")
        return (link, url)
    }

    /// `GET /v1/verify`: a person opened the link.
    ///
    /// Proves the address, finishes the attempt, and sends the browser on.
    func open() throws -> Answer {
        let token = context.query["token"] ?? ""
        guard var link = try context.db.find(LinkRecord.self, "token = \(token)"), link.challenge == nil else {
            throw ClerkError.linkToken("invalid")
        }
        if link.expireAt <= context.now { return redirect(link, "expired") }
        if link.usedAt != nil { return redirect(link, "failed") }
        if context.settings.bindsLinksToClient, context.client?.id != link.clientID { return redirect(link, "client_mismatch") }
        let opener = context.client
        guard let owner = try context.clients.find(id: link.clientID) else {
            throw ClerkError.linkToken("stale")
        }
        context.client = owner
        defer { context.client = opener }
        guard let session = try LinkCompletion(context: context).finish(link, openedBy: opener?.id ?? link.clientID) else {
            return redirect(link, "failed")
        }
        link.usedAt = context.now
        try context.db.save(link)
        return redirect(link, "verified", session: session)
    }

    /// `POST /v1/client/magic_links/complete`: a native app sends the values of its link, and proves that it requested it.
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
        return try LinkCompletion(context: context).approve(link)
    }

    private func redirect(_ link: LinkRecord, _ status: String, session: String? = nil) -> Answer {
        var query = [("__clerk_status", status)]
        if let session, !session.isEmpty { query.append(("__clerk_created_session", session)) }
        context.redirect = Redirects.adding(query, to: link.redirectURL)
        return .page("The link is \(status).")
    }
}

/// The proof that the client that ends a flow has begun it (RFC 7636, method S256).
enum Challenge {
    static func matches(verifier: String, challenge: String) -> Bool {
        Secret(Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)) == Secret(challenge)
    }
}
