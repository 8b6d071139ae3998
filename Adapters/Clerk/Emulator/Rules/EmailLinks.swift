internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Links in emails, which ``LinkRoutes`` accepts.
struct EmailLinks {
    let context: RequestContext

    /// Creates a link for an attempt of this client, and returns the URL for the email.
    func make(_ purpose: LinkRecord.Purpose, attempt: String) throws -> (link: LinkRecord, url: String) {
        let form = context.form
        let isNative = form.text("redirect_uri") != nil || form.text("code_challenge") != nil
        let target = try form.required(isNative ? "redirect_uri" : "redirect_url")
        try context.redirects.check(target)
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
}

/// The check that the client that ends a flow has also begun it (RFC 7636, method S256).
enum Challenge {
    static func matches(verifier: String, challenge: String) -> Bool {
        Secret(Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)) == Secret(challenge)
    }
}
