import LockstepPrimitives

/// The emulator's fake identity provider: a page that asks for the identity and redirects back.
///
/// The query may contain `sub`, `email`, `email_verified`, `given_name`, `family_name`, or `error`, so that tests need
/// no page.
struct ProviderRoutes {
    let context: RequestContext

    /// The page itself, `GET /oauth_provider/{provider}/authorize`.
    func authorize() throws -> Answer {
        let query = context.query
        let provider = context.piece("provider")
        let back = query["redirect_uri"] ?? ""
        // Only the emulator's own callback is allowed: the page must not redirect elsewhere.
        guard context.settings.providers.contains(where: { $0.name == provider }),
            back == ProviderRedirects.callback(context)
        else { throw ClerkError.providerDisabled(String(provider.prefix(60))) }
        let state = query["state"] ?? ""
        if let error = query.text("error") {
            context.redirect = Redirects.adding([("error", error), ("state", state)], to: back)
        } else if query.has("sub") || query.has("email") {
            let code = NonceRecord(
                nonce: context.token(), kind: .redirect, subject: provider, payload: claims(query),
                expireAt: context.now + .seconds(60))
            try context.db.save(code)
            context.redirect = Redirects.adding([("code", code.nonce), ("state", state)], to: back)
        }
        return .page(Self.form)
    }

    /// `/v1/oauth_callback`, to which the browser returns, with the values in the query or in a form.
    func callback() throws -> Answer {
        let fields = context.query.has("state") ? context.query : context.form
        let redirects = context.providerRedirects
        // The flow is looked up first. A code is not exchanged if the flow is unknown, or if the code comes from a
        // different provider.
        let flow = try redirects.flow(of: try fields.required("state"))
        if let answer = try context.extensions.answer(to: flow, fields) { return answer }
        guard let code = fields.text("code") else {
            return try redirects.finish(flow, .failure(.accessDenied(flow.payload["provider"]?.string ?? "")))
        }
        guard let row = try context.db.find(NonceRecord.self, "nonce = \(code) AND kind = 'redirect'"),
            let provider = row.subject, row.payload["sub"] != nil, row.expireAt > context.now,
            provider == flow.payload["provider"]?.string
        else { throw ClerkError.tokenExchange }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(code)")
        return try redirects.finish(flow, .success(try ProviderTokens.profile(row.payload, provider: provider)))
    }

    private func claims(_ query: Form) -> JSONObject {
        var claims: JSONObject = ["sub": .string(query.text("sub") ?? query["email"] ?? "")]
        for name in ["email", "given_name", "family_name", "picture"] {
            if let text = query.text(name) { claims[name] = .string(text) }
        }
        claims["email_verified"] = .bool(query["email_verified"] != "false")
        return claims
    }

    private static let form = """
        <!doctype html><title>Sign in</title><h1>Sign in with the test provider</h1>
        <form onsubmit="for (const [n, v] of new URLSearchParams(location.search)) if (!this[n]) {
          const i = document.createElement('input'); i.type = 'hidden'; i.name = n; i.value = v; this.append(i) }">
        <label>E-mail <input name="email" type="email" required></label> <label>Given name <input name="given_name"></label>
        <button>Sign in</button></form>
        """
}
